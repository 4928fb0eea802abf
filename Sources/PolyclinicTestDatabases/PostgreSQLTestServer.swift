import Foundation
import Glibc
import PolyclinicStore
import PolyclinicSystem
import Synchronization

/// A PostgreSQL server in a temporary directory, reached by a unix socket.
///
/// Without syncing to the disk, because no test needs its data after a power failure. It runs as
/// the user `postgres` if the tests run as root, whom PostgreSQL refuses.
package final class PostgreSQLTestServer: Sendable {
  /// The server that most tests share. It stops when the process ends.
  package static let shared: Result<PostgreSQLTestServer, any Error> = Result {
    let server = try PostgreSQLTestServer()
    atexit {
      do { try PostgreSQLTestServer.shared.get().remove() } catch {
        print("a test server remains: \(error)")
      }
    }
    return server
  }

  private static let programs = "/usr/lib/postgresql/15/bin/"
  private let directory: String
  private let databases = Atomic(0)
  /// The port of the server's own address, where it demands TLS and a password; nil if it has none.
  private let port: UInt16?

  /// The password at the server's own address.
  package static let password = "it's secret"
  /// The certificate of the server, which authorities do not know.
  package var certificate: String { directory + "/server.crt" }

  package init(port: UInt16? = nil) throws {
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

  /// A program of the server that has failed.
  private struct FailedCommand: Error, CustomStringConvertible {
    let description: String
  }

  /// Starts the server and waits until it answers. A transaction that sets `synchronous_commit`
  /// waits for a standby that never comes.
  package func start() throws {
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
  package func stop() throws {
    try run("pg_ctl", "stop", "--wait", "--silent", "--mode=fast", "-D", directory + "/data")
  }

  package func remove() throws {
    try stop()
    try FileManager.default.removeItem(atPath: directory)
  }

  package func address(of database: String) throws -> PostgreSQLAddress {
    try PostgreSQLAddress(parsing: url(of: database))
  }

  func url(of database: String) -> String {
    "postgresql:///\(database)?host=\(directory)&port=\(port ?? 5432)&user=polyclinic"
  }

  /// Creates an empty database and returns its address. It has a name of its own if none is given.
  package func newDatabase(named name: String? = nil) throws -> PostgreSQLAddress {
    let name = name ?? "test_\(databases.add(1, ordering: .relaxed).newValue)"
    try ask("createdb", "--template=template0", "--strategy=file_copy", name)
    return try address(of: name)
  }

  /// Removes a database, and ends the sessions of its clients.
  package func drop(_ database: String) throws { try ask("dropdb", "--force", database) }

  private func ask(_ program: String, _ arguments: String...) throws {
    let place = ["--host=\(directory)", "--port=\(port ?? 5432)", "--username=polyclinic"]
    try Self.run([Self.programs + program] + place + arguments, as: nil)
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
    guard status == 0 else { throw FailedCommand(description: command.joined(separator: " ")) }
  }
}
