import Foundation
import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicSystem
@testable import PolyclinicVault

@Suite struct BackupFormatTests {
  let portal: TestPortal
  let path: String
  let bytes: Data
  private let chunk = BackupCipher.chunkLength + BackupCipher.tagLength

  init() throws {
    portal = try TestPortal()
    _ = try portal.register(login: "vera")
    try portal.addBallast()
    path = try portal.backUp()
    bytes = try Data(contentsOf: URL(filePath: path))
  }

  /// Returns the error of reading these bytes as a backup; nil if they are accepted.
  private func error(of bytes: Data, ring: KeyRing? = nil) throws -> BackupError? {
    let path = portal.directory + "/other.backup"
    try bytes.write(to: URL(filePath: path))
    do {
      try BackupReader(path, ring: ring ?? portal.ring).read { _ in }
      return nil
    } catch let error as BackupError {
      return error
    }
  }

  @Test func `a backup names its tables in the order of references, with their rows`() throws {
    let manifest = try BackupReader(path, ring: portal.ring).manifest()
    #expect(try manifest.rows == portal.rowCounts())
    #expect(Set(manifest.tables.map(\.name)) == Set(manifest.rows.keys))
    let tables = try portal.database.read { try portal.database.tables(on: $0) }
    let places = manifest.tables.map(\.name)
    for table in tables {
      let place = try #require(places.firstIndex(of: table.name))
      #expect(table.references.allSatisfy { places[..<place].contains($0.table) })
    }
    #expect(manifest.rows["people"] == 1 && manifest.rows["ballast"] == 4)
    #expect(manifest.time == portal.now.seconds)
    #expect(manifest.migrations.first?.name == "0001-accounts")
    #expect(try error(of: bytes) == nil)
    #expect(bytes.count > 3 * chunk)
  }

  @Test func `a backup holds neither the master key nor SQLite text in plain`() throws {
    let secret = try portal.ring.newest.secret.withUnsafeBytes { Data($0) }
    #expect(bytes.range(of: secret) == nil)
    #expect(bytes.range(of: Data(Base64.standard.encoded(Array(secret)))) == nil)
    for text in ["SQLite format", "CREATE TABLE", "people", "0001-people"] {
      #expect(bytes.range(of: Data(text.utf8)) == nil)
    }
  }

  @Test func `chunks of two backups of the same state differ and cannot be mixed`() throws {
    let other = try Data(contentsOf: URL(filePath: portal.backUp("b.backup")))
    #expect(other.count == bytes.count)
    #expect(other[72..<200] != bytes[72..<200])
    let mixed = bytes[..<(72 + chunk)] + other[(72 + chunk)...]
    #expect(try error(of: mixed) == .changed(path: portal.directory + "/other.backup"))
  }

  @Test(.sqliteOnly)
  func `SQLite reads each table of a backup by its key, without a sort in memory`() throws {
    try portal.database.read { connection in
      for table in try portal.database.tables(on: connection) where !table.key.isEmpty {
        let plan = try connection.rows("EXPLAIN QUERY PLAN \(table.selection)") { $0.string(3) }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(table.name)")
      }
    }
  }

  @Test func `every value of every row is in the backup, NULL apart from empty`() throws {
    let person = try portal.database.read { connection in
      try #require(try connection.integer("SELECT max(id_person) FROM people"))
    }
    try portal.database.write { connection in
      try connection.run(
        """
        CREATE TABLE kinds (
          key TEXT PRIMARY KEY, number \(.integer), real \(.real), text TEXT, bytes \(.bytes)
        ) \(.strict)
        """)
      for value in [Int64.min, -1, 0, Int64.max] {
        try connection.run("INSERT INTO kinds (key, number) VALUES (\("i\(value)"), \(value))")
      }
      for value in [-0.0, .infinity, .leastNonzeroMagnitude, 53.902735] {
        try connection.run("INSERT INTO kinds (key, real) VALUES (\("r\(value)"), \(value))")
      }
      // PostgreSQL refuses U+0000 in a text.
      let odd = portal.database.dialect == .sqlite ? "a\0b" : "a\tb"
      for text in ["", "\u{5D0}", odd] {
        try connection.run("INSERT INTO kinds (key, text) VALUES (\("t\(text)"), \(text))")
      }
      for bytes in [[], [0], [UInt8](repeating: 7, count: 3 << 20)] {
        try connection.run(
          "INSERT INTO kinds (key, bytes) VALUES (\("b\(bytes.count)"), \(bytes))")
      }
    }
    let backup = try portal.backUp("kinds.backup")
    let reader = try BackupReader(backup, ring: portal.ring)
    let manifest = try reader.manifest()
    var (rows, read, place) = (BackupRows(), [String: [[SQL.Value]]](), 0)
    try reader.read { piece in
      // Also single bytes are put together.
      for part in [piece.prefix(1), piece.dropFirst()] {
        rows.receive(part)
        while place < manifest.tables.count {
          guard let element = try rows.next(of: manifest.tables[place].columns) else { break }
          switch element {
          case .row(let values): read[manifest.tables[place].name, default: []].append(values)
          case .end: place += 1
          }
        }
      }
    }
    #expect(rows.isEmpty && read.mapValues(\.count) == manifest.rows.filter { $0.value > 0 })
    let expected = try portal.database.read { connection in
      let tables = try portal.database.tables(on: connection)
      let kinds = try #require(tables.first { $0.name == "kinds" })
      var rows: [[SQL.Value]] = []
      try kinds.forEachRow(on: connection) { rows.append(kinds.values(of: $0)) }
      return rows
    }
    #expect(read["kinds"] == expected && expected.count == 14)
    #expect(expected.filter { $0[4] == .bytes([]) }.count == 1)
    #expect(expected.filter { $0[3] == .text("") }.count == 1)
    #expect(expected.filter { $0[4] == .null }.count == 11)
    #expect(read["people"]?.last?.first == .integer(Int64(person)))
  }

  @Test func `a changed byte anywhere in a backup is detected`() throws {
    let beginnings = (0..<4).map { 72 + $0 * chunk }
    let places =
      Array(0..<80) + beginnings.flatMap { [$0 - 1, $0, $0 + 1, $0 + 500_000] } + [bytes.count - 1]
      + (0..<20).map { _ in Int.random(in: bytes.indices) }
    for place in places {
      var changed = bytes
      changed[place] ^= 1 << UInt8.random(in: 0..<8)
      #expect(try error(of: changed) != nil, "byte \(place)")
    }
  }

  @Test func `a truncated backup is reported as cut off, not as changed`() throws {
    let ends =
      [1, 19, 20, 71, 72, 73, 72 + 16, 72 + chunk - 1, 72 + chunk, 72 + chunk + 1, 72 + 3 * chunk]
      + [bytes.count - 1, bytes.count - 16, bytes.count - 17]
    for end in ends {
      #expect(
        try error(of: bytes.prefix(end)) == .cutOff(path: portal.directory + "/other.backup"),
        "\(end)")
    }
  }

  @Test func `a shortened length in the header is detected`() throws {
    var short = BackupHeader(key: try portal.ring.newest.id, time: portal.now)
    short.contentLength = BackupCipher.chunkLength
    var cut = bytes.prefix(72 + chunk)
    cut.replaceSubrange(32..<40, with: short.bytes[32..<40])
    #expect(try error(of: cut) == .changed(path: portal.directory + "/other.backup"))
  }

  @Test func `bytes added at the end are detected`() throws {
    for added in [Data([0]), bytes[72..<(72 + chunk)], bytes] {
      #expect(
        try error(of: bytes + added) == .tooLong(path: portal.directory + "/other.backup"))
    }
  }

  @Test func `swapped or repeated chunks are detected`() throws {
    let second = (72 + chunk)..<(72 + 2 * chunk)
    let third = (72 + 2 * chunk)..<(72 + 3 * chunk)
    let swapped =
      bytes[..<second.lowerBound] + bytes[third] + bytes[second] + bytes[third.upperBound...]
    #expect(swapped.count == bytes.count)
    #expect(try error(of: swapped) == .changed(path: portal.directory + "/other.backup"))
    let doubled = bytes[..<third.lowerBound] + bytes[second] + bytes[third.upperBound...]
    #expect(try error(of: doubled) == .changed(path: portal.directory + "/other.backup"))
  }

  @Test func `a backup opens only with its master key, which may be an older one`() throws {
    let ring = try portal.ring
    let other = KeyRing.test()
    #expect(
      try error(of: bytes, ring: other)
        == .unknownKey(
          ring.newest.id, path: portal.directory + "/other.backup", ring: other.path))
    let namesake = KeyRing(
      newest: .init(id: ring.newest.id, created: .test, secret: other.newest.secret), older: [],
      path: "")
    #expect(
      try error(of: bytes, ring: namesake) == .changed(path: portal.directory + "/other.backup"))
    #expect(try error(of: bytes, ring: .test(older: [ring.newest])) == nil)
  }

  @Test func `a file of another or a newer format is refused`() throws {
    for text in [
      "", "SQLite format 3\0", "polyclinic backup 3\n" + String(repeating: "x", count: 99),
    ] {
      #expect(try error(of: Data(text.utf8)) != nil)
    }
    #expect(
      try error(of: Data("polyclinic backup 3\n".utf8))
        == .newerFormat(path: portal.directory + "/other.backup"))
  }

  @Test func `a backup replaces no existing file and leaves none when it fails`() throws {
    #expect(throws: BackupError.alreadyThere(path: path)) { try portal.backUp() }
    #expect(throws: SystemError.self) { try portal.backUp("none/a.backup") }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    let files = try FileManager.default.contentsOfDirectory(atPath: portal.directory)
    #expect(!files.contains { $0.hasSuffix(".new") })
  }

  @Test func `a backup replaces what a killed one left, and leaves one at work alone`() throws {
    let second = portal.directory + "/second.backup"
    do {
      let draft = try OpenFile.draft(second + ".new")
      #expect(throws: BackupError.underWay(path: second)) { try portal.backUp("second.backup") }
      try draft.write(Array("left".utf8))
    }
    _ = try portal.backUp("second.backup")
    #expect(try error(of: Data(contentsOf: URL(filePath: second))) == nil)
  }
}
