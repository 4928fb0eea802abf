import Logging
import PolyclinicCore

/// Tells machines whether this process lives, and whether the portal can keep what people enter.
///
/// Of the schema nothing is asked: a worker starts only after the migrations have run.
struct HealthModule: Module {
  let id: ModuleID = "health"
  private let readiness = Readiness()
  var title: Text { "health.title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none }
  var migrations: [Migration] { [Readiness.migration] }

  var routes: [Route] {
    [
      .get("/healthz", access: .everyone) { _ in .text("ok\n") },
      .get("/readyz", access: .everyone, isReady),
    ]
  }

  private func isReady(_ context: Context) throws -> Response {
    guard let failure = try readiness.failure(of: context.database, at: context.now) else {
      return .text("ready\n")
    }
    Logger(label: "readiness").error(
      "not ready", metadata: ["kind": "\(failure.kind)", "code": "\(failure.code)"])
    return .text("not ready: database\n", status: 503).adding(.init("Retry-After", "5"))
  }
}
