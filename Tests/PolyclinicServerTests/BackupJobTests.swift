import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicSystem

@Suite struct BackupJobTests {
  let portal: TestPortal
  let directory: BackupDirectory

  init() throws {
    portal = try TestPortal()
    directory = BackupDirectory(portal.directory + "/backups")
  }

  private func job(keep: Int = 3, in path: String? = nil) throws -> BackupJob {
    let path = path ?? directory.path
    return BackupJob(
      backup: Backup(database: portal.database, vault: try portal.vault),
      directory: BackupDirectory(path),
      settings: .init(directory: path, every: .hours(24), keep: keep), log: .silent)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  @Test func `the first backup is made at once, and the next one a day later`() throws {
    let now = TestPortal.start
    #expect(try job().run(at: now) == now + .hours(24))
    #expect(try job().run(at: now + .hours(23)) == now + .hours(24))
    #expect(try directory.names(at: now) == [BackupName(now)])
    #expect(try job().run(at: now + .hours(24)) == now + .hours(48))
    #expect(try directory.newest(at: now + .hours(24))?.time == now + .hours(24))
    _ = try BackupReader(directory.path(of: BackupName(now)), ring: portal.ring).read { _ in }
  }

  @Test func `the job keeps the newest backups and files that it did not make`() throws {
    _ = try job().run(at: TestPortal.start)
    try TextFile.create("mine", at: directory.path + "/copy.backup", mode: 0o600)
    try TextFile.create(
      "half", at: directory.path + "/polyclinic-20260101T000000Z.backup.new", mode: 0o600)
    for day in 1...4 { _ = try job().run(at: TestPortal.start + .days(day)) }
    let kept = (2...4).map { BackupName(TestPortal.start + .days($0)).description }
    #expect(try names() == ["copy.backup"] + kept)
  }

  @Test(.sqliteOnly) func `old backups are kept when a new one cannot be made`() throws {
    _ = try job(keep: 1).run(at: TestPortal.start)
    let before = try names()
    let old = portal.directory + "/polyclinic.sqlite"
    try FileManager.default.moveItem(atPath: old, toPath: old + ".away")
    #expect(throws: (any Error).self) { try job(keep: 1).run(at: TestPortal.start + .days(9)) }
    #expect(try names() == before)
    try FileManager.default.moveItem(atPath: old + ".away", toPath: old)
    _ = try job(keep: 1).run(at: TestPortal.start + .days(9))
    #expect(try names() == [BackupName(TestPortal.start + .days(9)).description])
  }

  @Test(.sqliteOnly)
  func `a damaged database is not backed up, and good backups are kept`() throws {
    _ = try job(keep: 1).run(at: TestPortal.start)
    let before = try names()
    try portal.database.removeDeletedBytes(for: .command)
    let path = portal.directory + "/polyclinic.sqlite"
    let file = try FileHandle(forUpdating: URL(filePath: path))
    // A page in the middle of the file, part of an index or a table.
    try file.seek(toOffset: try file.seekToEnd() / 8_192 * 4_096)
    try file.write(contentsOf: Data(repeating: 0xAA, count: 4_096))
    try file.close()
    #expect {
      try job(keep: 1).run(at: TestPortal.start + .days(2))
    } throws: { error in
      if case BackupError.databaseDamaged = error { true } else { false }
    }
    #expect(try names() == before)
  }

  @Test func `a job without a parent directory fails, and succeeds once there is one`() throws {
    let path = portal.directory + "/none/backups"
    #expect(throws: SystemError.self) { try job(in: path).run(at: TestPortal.start) }
    try FileManager.default.createDirectory(
      atPath: portal.directory + "/none", withIntermediateDirectories: false)
    #expect(try job(in: path).run(at: TestPortal.start) > TestPortal.start)
  }

  @Test func `a backup dated in the future does not prevent new ones`() throws {
    let now = TestPortal.start
    _ = try job(keep: 1).run(at: now + .days(300))
    _ = try job(keep: 1).run(at: now)
    #expect(try names().filter { $0.hasPrefix("polyclinic-") }.count == 2)
    #expect(try directory.newest(at: now)?.time == now)
    let age = BackupAge(directory: directory, every: .hours(24))
    #expect(try age.problem(at: now + .days(3)) != nil)
  }

  @Test func `the status tells the last backup's age and warns of missing backups`() throws {
    let age = BackupAge(directory: directory, every: .hours(24))
    let now = TestPortal.start
    #expect(try age.sentence(at: now) == "There is no backup in \(directory.path) yet.")
    #expect(try age.problem(at: now) == nil)
    let nowhere = BackupAge(
      directory: BackupDirectory(directory.path + "/none/backups"), every: .hours(24))
    #expect(
      try nowhere.problem(at: now)
        == "Backups cannot be made: write \(directory.path)/none: No such file or directory.")
    _ = try job().run(at: now)
    let name = BackupName(now).description
    #expect(
      try age.sentence(at: now + .minutes(61))
        == "The last good backup, \(name), is 61 minutes old.")
    #expect(try age.sentence(at: now + .days(3)) == "The last good backup, \(name), is 3 days old.")
    #expect(try age.problem(at: now + .hours(48)) == nil)
    #expect(
      try age.problem(at: now + .hours(49))
        == "The last good backup is 2 days old, and one is to be made every 24 hours: the log says why "
        + "none is.")
  }
}
