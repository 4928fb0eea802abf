import Foundation
import Glibc
import PolyclinicCore
import PolyclinicSystem
import Synchronization
import Testing

@testable import PolyclinicStore

/// A PostgreSQL server in a temporary directory, reached by a unix socket.
///
/// Without syncing to the disk, because no test needs its data after a power failure. It runs as
/// the user `postgres` if the tests run as root, whom PostgreSQL refuses.
final class TestServer: Sendable {
  /// The server that most tests share. It stops when the process ends.
  static let shared: Result<TestServer, any Error> = Result {
    let server = try TestServer()
    atexit {
      do { try TestServer.shared.get().remove() } catch { print("a test server remains: \(error)") }
    }
    return server
  }

  private static let programs = "/usr/lib/postgresql/15/bin/"
  private let directory: String
  private let databases = Atomic(0)
  /// The port of the server's own address, where it demands TLS and a password; nil if it has none.
  private let port: UInt16?

  /// The password at the server's own address.
  static let password = "it's secret"
  var certificate: String { directory + "/server.crt" }

  init(port: UInt16? = nil) throws {
    self.port = port
    // Not below the temporary directory's own path, which may be longer than a socket's may be.
    directory = "/tmp/polyclinic-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    if geteuid() == 0 { try Self.run(["/bin/chown", "postgres", directory], as: nil) }
    try run(
      "initdb", "--auth-local=trust", "--auth-host=scram-sha-256", "--username=polyclinic",
      "--locale=C", "--encoding=UTF8",
      "--no-sync", "--no-instructions", "-D", directory + "/data")
    if port != nil {
      try run(
        "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", directory + "/server.key", "-out", certificate)
    }
    try start()
  }

  /// Starts the server and waits until it answers. A transaction that sets `synchronous_commit`
  /// waits for a standby that never comes.
  func start() throws {
    let network = port.map {
      "-c listen_addresses=127.0.0.1 -c port=\($0) -c ssl=on -c ssl_cert_file=\(certificate) "
        + "-c ssl_key_file=\(directory)/server.key "
    }
    let settings =
      (network ?? "-c listen_addresses= ")
      + "-c unix_socket_directories=\(directory) -c fsync=off -c synchronous_commit=off "
      + "-c full_page_writes=off -c max_connections=200 "
      + "-c synchronous_standby_names=nobody -c autovacuum=off -c log_min_messages=fatal"
    try run(
      "pg_ctl", "start", "--wait", "--silent", "-D", directory + "/data",
      "-l", directory + "/log", "-o", settings)
  }

  /// Stops the server and ends the sessions of its clients.
  func stop() throws {
    try run("pg_ctl", "stop", "--wait", "--silent", "--mode=fast", "-D", directory + "/data")
  }

  func remove() throws {
    try stop()
    try FileManager.default.removeItem(atPath: directory)
  }

  func address(of database: String) throws -> PostgreSQLAddress {
    try PostgreSQLAddress(
      parsing: "postgresql:///\(database)?host=\(directory)&port=\(port ?? 5432)&user=polyclinic")
  }

  /// Creates an empty database and returns its address.
  func newDatabase() throws -> PostgreSQLAddress {
    let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
    let server = PostgreSQLServer(try address(of: "postgres"), { 60_000 }, nil)
    _ = try server.connect(within: 60_000).result(
      of: "CREATE DATABASE \(schemaName: name) TEMPLATE template0 STRATEGY file_copy",
      within: 60_000)
    return try address(of: name)
  }

  private func run(_ program: String, _ arguments: String...) throws {
    let user = geteuid() == 0 ? "postgres" : nil
    let path = program.hasPrefix("/") ? program : Self.programs + program
    try Self.run([path] + arguments, as: user)
  }

  private static func run(_ command: [String], as user: String?) throws {
    // The server's user may not be allowed to enter the directory in which the tests run.
    let changing = ["-c", "cd / && exec \"$@\"", "sh"]
    let arguments = changing + (user.map { ["/usr/sbin/runuser", "-u", $0, "--"] } ?? []) + command
    // Foundation's Process waits until the server, too, has closed what it inherits.
    let process = try Program(path: "/bin/sh", arguments: arguments).start(output: .nothing)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    try #require(status == 0, "\(command)")
  }
}

/// A database of the shared server with the tables of ``Fixture``.
struct ServerFixture {
  let address: PostgreSQLAddress
  let database: PostgreSQLDatabase

  init(
    on server: TestServer? = nil,
    timeLeft: @escaping @Sendable () -> Int = PostgreSQLDatabase.standardLimit
  ) throws {
    address = try (server ?? TestServer.shared.get()).newDatabase()
    database = try PostgreSQLDatabase.create(address, timeLeft: timeLeft)
    try database.addTables()
  }

  /// Ends the sessions of other clients of the database, as a restart of the server would.
  func endSessions() throws {
    let others: SQL = """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """
    try onThreads(1) { [address] _ in
      let other = try PostgreSQLDatabase.open(address)
      _ = try other.read { try $0.integer(others) }
      other.close()
    }
  }
}
