import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

/// Health endpoints for machines: `/healthz` (this process runs), `/readyz` (the portal can save
/// data) and `/metrics`.
package struct HealthModule: Module {
  package let id: ModuleID = "health"
  private let files: InstallationFiles
  private let readiness = Readiness()
  package var title: Text { "health.title" }
  package var catalog: Catalog { Catalog() }
  package var personalData: PersonalData {
    .none(impersonal: [
      "readiness": "a write, tried", "machines": "the machines that serve the portal",
      "module_switches": "the modules that are on", "job_lease": "the machine that runs the jobs",
      "job_failures": "the jobs that are repeated later",
    ])
  }
  package var migrations: [Migration] {
    [
      Migration(
        "0001-health",
        Readiness.migration.statements + Machine.schema + ModuleSwitches.schema
          + JobLease.schema + JobFailures.schema)
    ]
  }

  package var offers: [Offer] { [Offer(InstallationFiles.self, files)] }

  package init(_ files: InstallationFiles) { self.files = files }

  package var guardianAccess: GuardianAccess { .nothing("error.403.own-pages") }

  package var routes: [Route] {
    [
      .get("/healthz", access: .everyone) { _ in .text("ok\n") },
      .get("/readyz", access: .everyone, isReady),
      .get("/metrics", access: .everyone, showMetrics),
    ]
  }

  /// Answers `/readyz`. Only a failure that keeps people from working makes the portal not ready. A
  /// late backup or a nearly full disk is reported, but the portal stays in service.
  private func isReady(_ context: Context) throws -> Response {
    let server = context.server
    if let failure = try readiness.failure(of: context.portal.database, at: context.now) {
      server.instruments.writeHealth.note(failure)
      return notReady("database", ["kind": "\(failure.kind)", "code": "\(failure.code)"], context)
    }
    let drift = try drift(on: context)
    if !Self.permittedDrift.contains(drift.count) {
      return notReady("clock", ["ahead of the database by": "\(drift.count) s"], context)
    }
    let missing = try Readiness.missing(server.installation.migrations, on: context)
    if let step = missing.first { return notReady("schema", ["lacks": "\(step)"], context) }
    let report = StatusReport(files, at: context.now) {
      StatusReport.Stored(machines: try Machine.all(on: context))
    }
    return .text(
      """
      ready
      database: written
      schema: whole
      disk: \(report.isDiskScarce ? "little room" : "enough room")
      backup: \(backup(report.backup, at: context.now))

      """)
  }

  /// The seconds by which the clocks of machine and database may differ. Bookings and links depend on
  /// the time.
  private static let permittedDrift = Int64(-5)...5

  /// Returns the time by which this machine's clock is ahead of the database's. A database in a file
  /// has no clock of its own.
  private func drift(on connection: Connection) throws -> Seconds {
    guard files.database == nil,
      let time = try connection.integer("SELECT \(.databaseTime())")
    else { return .seconds(0) }
    return .current - Instant(Int64(time))
  }

  private func showMetrics(_ context: Context) throws -> Response {
    var page = MetricsPage(
      instruments: context.server.instruments, files: files, now: context.now,
      stored: {
        StatusReport.Stored(
          warnings: try context.portal.database.warnings(), machines: try Machine.all(on: context))
      })
    return Response(200, .bytes(Array(page.text().utf8), type: Exposition.contentType))
  }

  private func backup(_ backup: StatusReport.Backup?, at now: Instant) -> String {
    guard let backup else { return "not known" }
    let isLate = backup.isLate(at: now)
    guard let newest = backup.newest else { return isLate ? "late" : "none yet" }
    let state = isLate ? "late" : "in time"
    return "\(state), the last one \(ProcessStatus.span(of: now - newest)) ago"
  }

  private func notReady(
    _ what: String, _ details: Logger.Metadata, _ context: Context
  ) -> Response {
    context.server.log(
      FailedRequest("not ready", details.merging(["what": "\(what)"]) { $1 }),
      to: Logger(label: "readiness"), of: context)
    return .text("not ready: \(what)\n", status: 503).adding(.init("Retry-After", "5"))
  }
}
