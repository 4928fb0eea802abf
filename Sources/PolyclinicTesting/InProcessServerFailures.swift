import PolyclinicCore

/// The parts of a module that run without a request: jobs, health checks and exported files.
extension InProcessServer {
  /// Runs the jobs and the health checks of the enabled modules once.
  ///
  /// Returns a sentence for each that throws; `module` restricts them to those of one module.
  func failures(of module: ModuleID? = nil) -> [String] {
    server.installation.enabled.filter { module == nil || $0.module.id == module }.flatMap {
      member in
      let portal = server.portal(for: member)
      return member.module.jobs.compactMap { job in
        Self.failure("job “\(job.name)”") { _ = try job.run(portal) }
      }
        + member.module.checks.compactMap { check in
          Self.failure("check “\(check.name)”") {
            if try check.run(portal) == nil { _ = try check.details(portal) }
          }
        }
    }
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
  /// Returns a sentence for each job and each health check that throws; see
  /// ``InProcessServer/failures(of:)``.
  func failures(of module: ModuleID? = nil) -> [String] {
    server.withLock { $0.failures(of: module) }
  }

  /// Returns the portal as a module of it sees it.
  func access(of module: ModuleID) throws -> Portal {
    try server.withLock { try $0.portal(of: module) }
  }
}
