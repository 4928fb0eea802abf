import PolyclinicCore
import PolyclinicStore
import PolyclinicTestDatabases

/// A database of the shared server with the tables of ``Fixture``.
struct ServerFixture {
  let address: PostgreSQLAddress
  let database: PostgreSQLDatabase

  init(
    on server: PostgreSQLTestServer? = nil,
    timeLeft: @escaping @Sendable () -> Int = PostgreSQLDatabase.standardLimit
  ) throws {
    address = try (server ?? PostgreSQLTestServer.shared.get()).newDatabase()
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
