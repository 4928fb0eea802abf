import CPostgreSQL
import Foundation
import PolyclinicCore
import PolyclinicSystem
import PolyclinicTestDatabases
import Synchronization
import Testing

@testable import PolyclinicStore

@Suite struct PostgreSQLSessionTests {
  let fixture: ServerFixture
  var database: PostgreSQLDatabase { fixture.database }

  init() throws { fixture = try ServerFixture() }

  @Test func `every type of value round-trips by the types that the server reports`() throws {
    try database.write { connection in
      try connection.run(
        """
        CREATE TABLE kinds (
          a BIGINT, b INTEGER, c SMALLINT, d BOOLEAN, e DOUBLE PRECISION, f REAL, g NUMERIC, h TEXT,
          i VARCHAR(20), j BYTEA)
        """)
      try connection.run(
        """
        INSERT INTO kinds VALUES (
          \(Int.min), \(-5), \(7), \(true), \(1.5), \(0.25), \(-123_456_789), \("Żółć 🩺"), \(""),
          \([UInt8]([0, 255])))
        """)
      let row: Void? = try connection.row("SELECT * FROM kinds") { row in
        #expect(row.int(0) == .min)
        #expect(row.int(1) == -5)
        #expect(row.int(2) == 7)
        #expect(row.bool(3))
        #expect(row.real(4) == 1.5)
        #expect(row.real(5) == 0.25)
        #expect(row.int(6) == -123_456_789)
        #expect(row.real(6) == -123_456_789)
        #expect(row.string(7) == "Żółć 🩺")
        #expect(row.string(8) == "" && !row.isNull(8))
        #expect(row.bytes(9) == [0, 255])
      }
      #expect(row != nil)
      let none: String? = nil
      try connection.run("UPDATE kinds SET h = \(none), j = \([UInt8]()), e = \(3)")
      let after: Void? = try connection.row("SELECT h, j, e FROM kinds") { row in
        #expect(row.isNull(0))
        #expect(row.bytes(1) == [] && !row.isNull(1))
        #expect(row.real(2) == 3)
      }
      #expect(after != nil)
    }
  }

  @Test(arguments: [
    (0, "0"), (1, "1"), (9_999, "9999"), (10_000, "10000"), (123_450_000, "123450000"),
    (Int(Int32.max) * 1_000_000, "2147483647000000"), (.max, "9223372036854775807"),
  ])
  func `a sum of integers is an integer`(number: Int, text: String) throws {
    let sums = try database.read { connection in
      try connection.row(
        """
        SELECT sum(n), sum(-n), sum(n) / 8.0 FROM (SELECT CAST(\(number) AS BIGINT) AS n) AS numbers
        """
      ) { row in
        #expect(row.string(0) == text)
        #expect(abs(row.real(2) - Double(number) / 8) <= Double(number) / 1e15)
        return [row.int(0), row.int(1)]
      }
    }
    #expect(sums == [number, -number])
  }

  @Test func `values that a type does not have are refused before they are sent`() throws {
    try database.write { connection in
      for refused: SQL in [
        "INSERT INTO names VALUES (\("a\u{0}b"))", "INSERT INTO names VALUES (\([UInt8]([1])))",
        "SELECT CAST(\(Int.max) AS INTEGER)",
      ] {
        #expect(kind { try connection.run(refused) } == .constraint)
      }
      // The transaction has not failed, because the server knows nothing of them.
      try connection.run("INSERT INTO names VALUES ('c')")
    }
    #expect(try database.names() == ["c"])
  }

  @Test func `a megabyte goes to the server and comes back`() throws {
    let bytes = [UInt8](repeating: 7, count: 1_000_000)
    let kept = try database.read { connection in
      try connection.row("SELECT CAST(\(bytes) AS BYTEA)") { $0.bytes(0) }
    }
    #expect(kept == bytes)
  }

  @Test func `a statement's values stand in no error`() throws {
    let person: ID<Person> = try database.write {
      try $0.insert("INSERT INTO people DEFAULT VALUES")
    }
    let failing: [SQL] = [
      "INSERT INTO names VALUES (\("secret")), (\("secret"))",
      "INSERT INTO notes (person, body) VALUES (\(987_654), \("secret"))",
      "INSERT INTO notes (person, body) SELECT \(person), CAST(NULL AS TEXT) || \("secret")",
      "SELECT CAST(CAST(\("secret") AS TEXT) AS INTEGER)",
    ]
    let kinds: [DatabaseError.Kind] = [.unique, .foreignKey, .constraint, .constraint]
    for (statement, kind) in zip(failing, kinds) {
      let error = #expect(throws: DatabaseError.self) {
        try database.write { try $0.run(statement) }
      }
      #expect(error?.kind == kind)
      #expect(error?.detail.contains("SQLSTATE") == true)
      #expect(error?.detail.contains("secret") == false)
      #expect(error?.detail.contains("987654") == false)
    }
    let error = #expect(throws: DatabaseError.self) {
      try database.write { try $0.run(failing[0]) }
    }
    #expect(
      error?.detail
        == "SQLSTATE 23505 (names_name_key of names), in INSERT INTO names VALUES ($1), ($2)")
  }

  @Test func `time ends a statement that waits`() throws {
    let left = Atomic(10_000)
    let database = try PostgreSQLDatabase.open(
      fixture.address, timeLeft: { left.load(ordering: .relaxed) })
    let clock = ContinuousClock()
    let took = clock.measure {
      left.store(150, ordering: .relaxed)
      let late = kind { try database.read { _ = try $0.run("SELECT count(*) FROM pg_sleep(5)") } }
      #expect(late == .busy)
    }
    #expect(took < .seconds(2))
    left.store(0, ordering: .relaxed)
    #expect(kind { try database.read { _ = try $0.integer("SELECT 1") } } != nil)
    left.store(10_000, ordering: .relaxed)
    #expect(try database.read { try $0.integer("SELECT 1") } == 1)
  }

  @Test func `a session whose server ended it is replaced at the next transaction`() throws {
    try database.add("a")
    try fixture.endSessions()
    #expect(try database.names() == ["a"])
    try fixture.endSessions()
    try database.add("b")
    try fixture.endSessions()
    let names = try database.sharingReads { _ throws in try database.names() }
    #expect(names == ["a", "b"])
  }

  @Test func `a session that ends within a transaction fails it as missing`() throws {
    let fixture = fixture
    #expect(
      kind {
        try database.write { connection throws -> Void in
          try connection.run("INSERT INTO names VALUES ('a')")
          try fixture.endSessions()
          try connection.run("INSERT INTO names VALUES ('b')")
        }
      } == .missing)
    #expect(
      kind {
        try database.read { connection in
          _ = try connection.integer("SELECT count(*) FROM names")
          try fixture.endSessions()
          _ = try connection.integer("SELECT count(*) FROM names")
        }
      } == .missing)
    #expect(try database.names() == [])
  }

  @Test func `a restarted server is found again at the next transaction`() throws {
    let server = try PostgreSQLTestServer()
    defer { #expect(throws: Never.self) { try server.remove() } }
    let database = try ServerFixture(on: server).database
    try database.add("a")
    try server.stop()
    try server.start()
    try database.add("b")
    try server.stop()
    #expect(kind { _ = try database.names() } == .missing)
    try server.start()
    #expect(try database.names() == ["a", "b"])
  }

  @Test func `the first host that answers is used, and a server that only reads is left`() throws {
    let place = fixture.address.description.split(separator: " ")[2].replacing("/", with: "%2F")
    let address = try PostgreSQLAddress(
      parsing: "postgresql://polyclinic@%2Fnowhere,\(place)/"
        + fixture.address.description.split(separator: " ")[0])
    let database = try PostgreSQLDatabase.open(address)
    try database.add("a")
    // As a primary that became a standby answers.
    try database.write { _ = try $0.run("SET default_transaction_read_only = on") }
    #expect(throws: Never.self) {
      try database.write { connection in
        try connection.run("INSERT INTO names VALUES ('b')")
      }
    }
    #expect(try database.names() == ["a", "b"])
  }

  @Test func `a host of the network proves its name, and the user a password`() throws {
    let port = try Self.freePort()
    let server = try PostgreSQLTestServer(port: port)
    defer { #expect(throws: Never.self) { try server.remove() } }
    let socket = try PostgreSQLDatabase.create(server.newDatabase())
    _ = try socket.condition()
    try socket.write { try $0.run("ALTER ROLE polyclinic PASSWORD 'it''s secret'") }
    let files = try Fixture()
    let password = files.directory + "/password"
    try TextFile.create(PostgreSQLTestServer.password, at: password, mode: 0o600)
    func condition(_ host: String, _ query: String, _ password: String?) throws -> Bool {
      let url = "postgresql://polyclinic@\(host):\(port)/test_1\(query)"
      let address = try PostgreSQLAddress(parsing: url, passwordFile: password)
      return try PostgreSQLDatabase.open(address, timeLeft: { 1_000 }).condition().comparesBytes
    }
    let trusting = "?sslrootcert=" + server.certificate
    #expect(try condition("localhost", trusting, password))
    let refused = [
      ("127.0.0.1", trusting, password), ("localhost", "", password), ("localhost", trusting, nil),
    ]
    for (host, query, password) in refused {
      let error = #expect(throws: DatabaseError.self) { try condition(host, query, password) }
      #expect(error?.kind == .missing)
      #expect(error?.detail.contains("secret") == false)
    }
  }

  /// Returns a port of this machine that no program listens on.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try #require(bind(descriptor, $0, size) == 0)
        try #require(getsockname(descriptor, $0, &size) == 0)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
  }

  @Test func `a statement prepared before its table got another column is prepared anew`() throws {
    try database.add("a")
    func all(_ connection: Connection) throws -> [Bool] {
      try connection.rows("SELECT * FROM names WHERE name < \("z")") { $0.isNull(0) }
    }
    #expect(try database.read { try all($0) } == [false])
    let (address, database) = (fixture.address, database)
    func add(_ column: SQL) throws {
      let statement: SQL = "ALTER TABLE names ADD COLUMN \(column) TEXT"
      try onThreads(1) { _ in
        _ = try PostgreSQLDatabase.open(address).write { try $0.run(statement) }
      }
    }
    try add("second")
    #expect(try database.read { try all($0) } == [false])
    try add("third")
    let later = try database.write { connection in
      try connection.run("INSERT INTO people DEFAULT VALUES")
      return try all(connection)
    }
    #expect(later == [false])
    #expect(try database.read { try $0.integer("SELECT count(*) FROM people") } == 1)
  }

  @Test func `the oldest of many statements is forgotten at the server, too`() throws {
    let count = try database.read { connection in
      for columns in 1...300 {
        var many: SQL = "SELECT 0"
        for column in 1...columns { many = "\(many), \(column)" }
        try #require(connection.integer(many) == 0)
      }
      return try connection.integer("SELECT count(*) FROM pg_prepared_statements")
    }
    let known = try #require(count)
    #expect(known >= 256 && known <= 256 + PostgreSQLSession.Command.allCases.count)
  }
}
