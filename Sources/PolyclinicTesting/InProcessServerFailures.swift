import PolyclinicCore

/// The parts of a module that run without a request: jobs, health checks and exported files.
extension InProcessServer {
  /// Runs each job of the enabled modules twice at the same time, and each health check once.
  ///
  /// Returns a sentence for each that throws or repeats itself; `module` restricts them to those of
  /// one module.
  func failures(of module: ModuleID? = nil) -> [String] {
    server.installation.enabled.filter { module == nil || $0.module.id == module }.flatMap {
      member in
      let portal = server.portal(for: member)
      return member.module.jobs.flatMap { failures(of: $0, portal) }
        + member.module.checks.compactMap { check in
          Self.failure("check “\(check.name)”") {
            if try check.run(portal) == nil { _ = try check.details(portal) }
          }
        }
    }
  }

  private func failures(of job: Job, _ portal: Portal) -> [String] {
    do {
      let next = try job.run(portal)
      let sent = try noticeCount()
      _ = try job.run(portal)
      let isRepeated = try noticeCount() > sent
      return
        (next > portal.now
        ? [] : ["the job “\(job.name)” returns a time that is not later than now"])
        + (isRepeated
          ? ["the job “\(job.name)” sends a notice again when it runs again: `once` prevents it"]
          : [])
    } catch { return ["the job “\(job.name)” fails: \(error)"] }
  }

  private func noticeCount() throws -> Int {
    try database.read { try $0.integer("SELECT count(*) FROM notifications") } ?? 0
  }

  /// Returns the portal as a module of it sees it.
  func portal(of module: ModuleID) throws -> Portal {
    guard let member = server.installation.members.first(where: { $0.module.id == module }) else {
      throw Refusal.notFound
    }
    return server.portal(for: member)
  }

  private static func failure(_ name: String, _ run: () throws -> Void) -> String? {
    do { try run() } catch { return "the \(name) fails: \(error)" }
    return nil
  }
}

extension TestPortal {
  /// Returns a sentence for each job and each health check that fails; see
  /// ``InProcessServer/failures(of:)``.
  func failures(of module: ModuleID? = nil) -> [String] {
    server.withLock { $0.failures(of: module) }
  }

  /// Returns the portal as a module of it sees it.
  func access(of module: ModuleID) throws -> Portal {
    try server.withLock { try $0.portal(of: module) }
  }
}
