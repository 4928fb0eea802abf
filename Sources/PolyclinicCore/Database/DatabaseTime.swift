extension SQL {
  /// The time of the database's clock as an expression, in Unix seconds. Machines that share a
  /// database compare times by it, because their own clocks differ. `given` replaces it in tests.
  package static func databaseTime(_ given: Instant? = nil) -> SQL {
    if let given { return "CAST(\(given) AS BIGINT)" }
    return """
      CAST(\
      \(sqlite: "unixepoch()", postgresql: "floor(extract(epoch FROM clock_timestamp()))") AS BIGINT)
      """
  }
}
