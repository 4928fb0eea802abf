import Logging
import PolyclinicCore

/// Tells machines whether this process lives, whether the portal can keep what people enter, and what
/// goes on in it.
struct HealthModule: Module {
  let id: ModuleID = "health"
  private let readiness = Readiness()
  var title: Text { "health.title" }
  var catalog: Catalog { Catalog() }
  var personalData: PersonalData { .none(impersonal: ["readiness": "a write, tried"]) }
  var migrations: [Migration] { [Readiness.migration] }

  var routes: [Route] {
    [
      .get("/healthz", access: .everyone) { _ in .text("ok\n") },
      .get("/readyz", access: .everyone, isReady),
      .get("/metrics", access: .everyone, MetricsPage.show),
    ]
  }

  /// Only what keeps people from working takes the portal out of service: a backup that is missing or
  /// a disk that fills up is told, and the portal goes on.
  private func isReady(_ context: Context) throws -> Response {
    let front = try context.front()
    if let failure = try readiness.failure(of: context.portal.database, at: context.now) {
      front.instruments.trouble.note(failure)
      return notReady("database", ["kind": "\(failure.kind)", "code": "\(failure.code)"])
    }
    let missing = try context.database.read {
      try Readiness.missing(front.installation.migrations, on: $0)
    }
    if let step = missing.first { return notReady("schema", ["lacks": "\(step)"]) }
    let glance = Glance(front.instruments.files, at: context.now)
    return .text(
      """
      ready
      database: written
      schema: whole
      disk: \(glance.isDiskScarce ? "little room" : "enough room")
      backup: \(backup(glance.backup, at: context.now))

      """)
  }

  private func backup(_ backup: Glance.Backup?, at now: Instant) -> String {
    guard let backup else { return "not known" }
    let isLate = backup.isLate(at: now)
    guard let newest = backup.newest else { return isLate ? "late" : "none yet" }
    let state = isLate ? "late" : "in time"
    return "\(state), the last one \(ProcessStatus.span(of: now - newest)) ago"
  }

  private func notReady(_ what: String, _ details: Logger.Metadata) -> Response {
    Logger(label: "readiness").error(
      "not ready", metadata: details.merging(["what": "\(what)"]) { $1 })
    return .text("not ready: \(what)\n", status: 503).adding(.init("Retry-After", "5"))
  }
}
