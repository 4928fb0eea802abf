import Logging
import PolyclinicCore

/// Tells machines whether this process lives, and whether the portal can serve people.
struct HealthModule: Module {
  let id: ModuleID = "health"
  var title: Text { "health.title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none }

  var migrations: [Migration] {
    [
      Migration(
        "0001-readiness",
        """
        CREATE TABLE readiness (
          id_readiness \(.integer) NOT NULL PRIMARY KEY,
          checked_at \(.integer) NOT NULL
        ) \(.strict)
        """)
    ]
  }

  var routes: [Route] {
    [
      .get("/healthz", access: .everyone) { _ in .text("ok\n") },
      .get("/readyz", access: .everyone, isReady),
    ]
  }

  /// Writes a row: only that tells a full or read-only disk from one that can keep what people enter.
  private func isReady(_ context: Context) throws -> Response {
    do {
      try context.database.write { connection in
        try connection.run(
          """
          INSERT INTO readiness (id_readiness, checked_at) VALUES (1, \(context.now))
          ON CONFLICT (id_readiness) DO UPDATE SET checked_at = excluded.checked_at
          """)
      }
      return .text("ready\n")
    } catch let error as DatabaseError {
      Logger(label: "readiness").error(
        "not ready", metadata: ["kind": "\(error.kind)", "code": "\(error.code)"])
      return .text("not ready: database\n", status: 503).adding(.init("Retry-After", "5"))
    }
  }
}
