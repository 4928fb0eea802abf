import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicSystem

@Suite struct BackupDirectoryTests {
  private func put(_ names: String..., in directory: String) throws {
    for name in names { try TextFile.create("-", at: directory + "/" + name, mode: 0o600) }
  }

  private func files(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  @Test(arguments: [0, 951_782_399, 1_777_885_200, 4_102_444_799])
  func `a backup name reads back as the same time`(seconds: Int64) {
    let name = BackupName(Instant(seconds))
    #expect(BackupName(name.description) == name)
  }

  @Test func `a backup name holds the time in UTC`() {
    #expect(
      BackupName(Instant(1_777_885_200)).description == "polyclinic-20260504T090000Z.backup")
  }

  @Test(arguments: [
    "polyclinic-20260504T090000Z.backup.new", "polyclinic-20260504T090000Z.sqlite",
    "polyclinic-20260231T090000Z.backup", "polyclinic-20260504T250000Z.backup",
    "polyclinic-2026+504T090000Z.backup", "polyclinic-20260504 090000Z.backup",
    "copy-of-polyclinic-20260504T090000Z.backup", "erasures.log", "",
  ])
  func `a file name in another format is not a backup name`(name: String) {
    #expect(BackupName(name) == nil)
  }

  @Test func `erased data leaves the backups when enough newer ones are made`() throws {
    try Scratch.with { (directory: String) throws in
      let backups = BackupDirectory(directory)
      let now = Instant(1_777_885_200)
      let forgetting = { (now: Instant) in
        backups.forgetting(at: now, every: .hours(24), keeping: 14)
      }
      #expect(forgetting(now) == .never)
      try put(BackupName(now - .hours(3)).description, in: directory)
      #expect(forgetting(now) == .at(now - .hours(3) + .days(14)))
      // Without new backups, the job removes no old ones.
      #expect(forgetting(now + .days(21)) == .unknown)
    }
  }

  @Test func `a missing or empty directory has no newest backup`() throws {
    try Scratch.with { (directory: String) throws in
      #expect(try BackupDirectory(directory + "/none").newest(at: .current) == nil)
      #expect(try BackupDirectory(directory).newest(at: .current) == nil)
    }
  }

  @Test func `the newest backup is the complete regular file with the latest time`() throws {
    try Scratch.with { (directory: String) throws in
      try put(
        "polyclinic-20260504T090000Z.backup", "polyclinic-20260503T090000Z.backup",
        "polyclinic-20260505T090000Z.backup.new", "zzz", in: directory)
      try FileManager.default.createDirectory(
        atPath: directory + "/polyclinic-20260506T090000Z.backup",
        withIntermediateDirectories: false)
      let newest = try #require(try BackupDirectory(directory).newest(at: .current))
      #expect(newest.description == "polyclinic-20260504T090000Z.backup")
      #expect(newest.time == Instant(1_777_885_200))
    }
  }

  @Test func `pruning removes only the portal's own backups, the oldest first`() throws {
    try Scratch.with { (directory: String) throws in
      try put(
        "polyclinic-20260504T090000Z.backup", "polyclinic-20260503T090000Z.backup",
        "polyclinic-20260502T090000Z.backup", "polyclinic-20260501.backup", "erasures.log",
        "before-the-move.backup", in: directory)
      try BackupDirectory(directory).prune(keeping: 2, at: .current)
      #expect(
        try files(in: directory) == [
          "before-the-move.backup", "erasures.log", "polyclinic-20260501.backup",
          "polyclinic-20260503T090000Z.backup", "polyclinic-20260504T090000Z.backup",
        ])
    }
  }

  @Test func `sweeping removes unfinished backups and no other drafts`() throws {
    try Scratch.with { (directory: String) throws in
      try put(
        "polyclinic-20260504T090000Z.backup.new", "mine.backup.new",
        "polyclinic-20260503T090000Z.backup", in: directory)
      try BackupDirectory(directory).sweepDrafts()
      #expect(
        try files(in: directory) == ["mine.backup.new", "polyclinic-20260503T090000Z.backup"])
    }
  }
}
