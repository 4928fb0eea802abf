import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicPortal
@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

/// The files beside the database that hold another state of it.
@Suite(.sqliteOnly) struct DatabaseCopyTests {
  private let portal: TestPortal
  private let chief: TestVisitor
  private let vera: TestVisitor
  private let copies: DatabaseCopies

  init() throws {
    portal = try TestPortal()
    chief = try portal.administrator()
    vera = try portal.register(login: "vera")
    copies = DatabaseCopies(beside: portal.directory + "/polyclinic.sqlite")
  }

  /// Returns the names of all files in the portal's directory that hold these bytes.
  private func files(with bytes: [UInt8]) throws -> [String] {
    try names().filter { name in
      try Data(contentsOf: URL(filePath: "\(portal.directory)/\(name)")).range(of: Data(bytes))
        != nil
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: portal.directory).sorted().filter { name in
      var isDirectory = ObjCBool(false)
      return FileManager.default.fileExists(
        atPath: "\(portal.directory)/\(name)", isDirectory: &isDirectory) && !isDirectory.boolValue
    }
  }

  private func wrappedKey(of visitor: TestVisitor) throws -> [UInt8] {
    let person = try portal.keys(of: visitor).person
    return try #require(
      try portal.database.read {
        try $0.row("SELECT wrapped_key FROM people WHERE id_person = \(person)") { $0.bytes(0) }
      })
  }

  private func keepFormerDatabase() throws -> String {
    try portal.database.removeDeletedBytes()
    let path = copies.formerPath(at: portal.now)
    try FileManager.default.copyItem(atPath: copies.database, toPath: path)
    return path
  }

  /// Leaves what a killed restore leaves: a copy of the database, and files of SQLite beside it.
  private func leaveDrafts() throws {
    try portal.database.removeDeletedBytes()
    for draft in DatabaseCopies.Draft.allCases {
      let path = copies.path(of: draft)
      try FileManager.default.copyItem(atPath: copies.database, toPath: path)
      for suffix in SQLiteDatabase.companions {
        try Data("left".utf8).write(to: URL(filePath: path + suffix))
      }
    }
  }

  private func erase(_ visitor: TestVisitor) throws -> TestPage {
    let page = try portal.path(of: visitor) + "/erase"
    return chief.press(page, on: page, ["confirm": "1"], evenIfAbsent: true)
  }

  @Test func `an erasure removes what killed restores have left`() throws {
    try leaveDrafts()
    let key = try wrappedKey(of: vera)
    #expect(
      try files(with: key) == [
        "polyclinic.sqlite", "polyclinic.sqlite.looked-into", "polyclinic.sqlite.restored",
      ])
    #expect(try erase(vera).status == 303)
    #expect(try files(with: key) == [])
    #expect(try !names().contains { $0.contains("looked-into") || $0.contains("restored") })
  }

  @Test func `a start removes what killed restores have left, also a log without its database`()
    throws
  {
    try Scratch.with { (directory: String) throws in
      let target = ScratchInstallation(directory: directory)
      try target.takeKey(of: portal)
      _ = try target.restore(portal.backUp())
      let local = try target.localInstallation()
      _ = try local.migrate(at: portal.now)
      let before = try target.files()
      for suffix in [".looked-into", ".looked-into-wal", ".restored-wal", ".restored.lock"] {
        try Data("left".utf8).write(to: URL(filePath: target.databasePath + suffix))
      }
      _ = try local.migrate(at: portal.now)
      #expect(try target.files() == before)
    }
  }

  @Test func `the draft of a restore at work stays, and is removed once nobody holds it`() throws {
    let path = copies.path(of: .person)
    do {
      let file = try copies.create(.person)
      try copies.removeAbandonedDrafts()
      #expect(FilePath.exists(path))
      #expect(throws: SystemError.self) {
        let second = try copies.create(.person)
        try second.synchronize()
      }
      try file.synchronize()
    }
    try copies.removeAbandonedDrafts()
    #expect(!FilePath.exists(path))
  }

  @Test func `an erasure beside the draft of a restore at work is incomplete`() throws {
    let anna = try portal.register(login: "anna")
    let key = try wrappedKey(of: vera)
    do {
      let file = try copies.create(.person)
      let answer = try erase(vera)
      #expect(
        answer.status == 503 && answer.hasNotice(.warning, "another file beside the database"))
      #expect(chief.get("/admin").hasNotice(.warning, "A restore is running"))
      try file.synchronize()
    }
    #expect(try erase(anna).status == 303)
    #expect(try files(with: key) == [] && copies.drafts() == [])
  }

  @Test func `an erasure reaches the former databases`() throws {
    let anna = try portal.register(login: "anna")
    let former = try keepFormerDatabase()
    let (key, other) = (try wrappedKey(of: vera), try wrappedKey(of: anna))
    let name = FilePath.name(of: former)
    #expect(try files(with: key) == ["polyclinic.sqlite", name])
    #expect(try erase(vera).status == 303)
    #expect(try files(with: key) == [] && files(with: other) == ["polyclinic.sqlite", name])
    let database = try SQLiteDatabase.open(former)
    defer { database.close() }
    #expect(try database.read(ErasureLog.stored).count == 1)
    #expect(try database.integrityProblems() == [])
  }

  @Test func `a start completes an erasure that did not reach a former database`() throws {
    let key = try wrappedKey(of: vera)
    let former = try keepFormerDatabase()
    let aside = portal.directory + "/aside"
    try FileManager.default.moveItem(atPath: former, toPath: aside)
    #expect(try erase(vera).status == 303)
    try FileManager.default.moveItem(atPath: aside, toPath: former)
    #expect(try files(with: key) == [FilePath.name(of: former)])
    try Erasure(
      database: portal.database, files: .test(in: portal.directory, database: copies.database),
      migrations: [], removeBytes: {}
    ).finishCopies()
    #expect(try files(with: key) == [])
  }

  @Test func `an erasure is incomplete while a former database cannot be read`() throws {
    let person = try portal.keys(of: vera).person
    let former = copies.formerPath(at: portal.now)
    try Data("damaged".utf8).write(to: URL(filePath: former))
    let answer = try erase(vera)
    #expect(answer.status == 503 && answer.hasNotice(.warning, "another file beside the database"))
    let commands = try portal.userCommands()
    let files = InstallationFiles.test(in: portal.directory, database: copies.database)
    let erasure = Erasure(
      database: portal.database, files: files, migrations: [], removeBytes: {})
    let error = #expect(throws: Command.Failure.self) {
      try commands.erase(person: person, by: erasure)
    }
    #expect(error?.description.contains(former) == true)
    unlink(former)
    #expect(
      throws: Command.Failure(
        "Nobody has the number \(person). If that person was erased, the erasure is complete now.")
    ) { try commands.erase(person: person, by: erasure) }
  }

  @Test
  func `an erasure is incomplete beside a former database of another schema, which stays as it is`()
    throws
  {
    let former = try keepFormerDatabase()
    let database = try SQLiteDatabase.open(former)
    _ = try database.write {
      try $0.run("UPDATE migrations SET name = '0001-people' WHERE module = 'account'")
    }
    try database.removeDeletedBytes()
    database.close()
    let before = try Data(contentsOf: URL(filePath: former))
    let answer = try erase(vera)
    #expect(answer.status == 503 && answer.hasNotice(.warning, "another file beside the database"))
    let local = try ScratchInstallation(directory: portal.directory).localInstallation()
    let erasure = Erasure(
      database: portal.database,
      files: .test(in: portal.directory, database: copies.database),
      migrations: try local.builder().installation().migrations, removeBytes: {})
    let failure = #expect(throws: Erasure.Failure.self) { try erasure.finishCopies() }
    #expect(failure?.description.contains("\(former): the database has the schema") == true)
    #expect(try Data(contentsOf: URL(filePath: former)) == before)
    unlink(former)
    #expect(try erase(portal.register()).status == 303)
  }

  @Test func `a former database is named at /admin and in the status until it is deleted`() throws {
    #expect(!chief.get("/admin").contains("A former database"))
    let former = try keepFormerDatabase()
    let name = FilePath.name(of: former)
    for suffix in SQLiteDatabase.companions {
      try Data().write(to: URL(filePath: former + suffix))
    }
    #expect(try copies.former() == [former])
    #expect(chief.get("/admin").hasNotice(.warning, name))
    let files = InstallationFiles.test(in: portal.directory, database: copies.database)
    #expect(StatusReport(files, at: portal.now).text(modules: [], at: portal.now).contains(name))
    unlink(former)
    #expect(try copies.former() == [former + "-wal"])
    unlink(former + "-wal")
    #expect(try copies.former() == [] && !chief.get("/admin").contains("A former database"))
  }
}
