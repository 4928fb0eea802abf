import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem
import PolyclinicWeb

extension StatusReport {
  /// Returns the status as text for a terminal. `modules` are the names of the enabled modules.
  package func text(modules: [String], at now: Instant) -> String {
    var lines = processes?.heading(at: now) ?? ["Polyclinic is not running."]
    lines += [availabilityLine(at: now), backupLine(at: now), databaseLine, Self.line(of: modules)]
    if processes?.processes.contains(where: \.isFailing) == true {
      lines.append(Self.refusedWrites)
    }
    lines += warnings.map(\.sentence)
    lines += drafts.map(DatabaseCopies.sentence(ofDraft:))
    lines += former.map(DatabaseCopies.sentence(of:))
    if let release { lines.append(release) }
    lines += outages.map { $0.sentence(at: now) }
    if let processes { lines += [""] + processes.rows(at: now) }
    lines += machineLines(at: now)
    return lines.joined(separator: "\n") + "\n"
  }

  private func availabilityLine(at now: Instant) -> String {
    guard let availability else { return "Availability is not known yet" }
    let span = availableSince.map { "\(ProcessStatus.span(of: now - $0)) since the first start" }
    return "Available for \(Percentage(of: availability)) of the \(span ?? "last 30 days"); "
      + "\(Percentage(of: UptimeHistory.promised)) is promised"
  }

  private func backupLine(at now: Instant) -> String {
    guard let backup else { return "Backups cannot be read" }
    let late = backup.isLate(at: now) ? ", WHICH IS LATE" : ""
    let due = "one is due every \(ProcessStatus.span(of: backup.every))"
    guard let newest = backup.newest else { return "No backup yet\(late); \(due)" }
    return "Last good backup \(ProcessStatus.span(of: now - newest)) ago\(late); \(due)"
  }

  private var databaseLine: String {
    let room = free.map { "; \(ByteCount($0).text) free" } ?? "; the disk cannot be read"
    let little = isDiskScarce ? ", WHICH IS LITTLE" : ""
    if let databaseFailure {
      return "The database does not answer: \(databaseFailure)\(room)\(little)"
    }
    guard let database else { return "The database answers\(room)\(little)" }
    let log = ByteCount(log ?? 0).text
    return "Database \(ByteCount(database).text), its log \(log)\(room)\(little)"
  }

  private static let refusedWrites = """
    The database refuses writes, and the log says why. If its file was replaced while the portal runs, put \
    it back, or run "polyclinic reload" to serve from the present one
    """

  private static func line(of modules: [String]) -> String {
    modules.isEmpty ? "No module is on" : "Modules: \(modules.joined(separator: ", "))"
  }
}

extension DatabaseWarning {
  /// The warning for a terminal.
  fileprivate var sentence: String {
    switch self {
    case .standby:
      "The database's server waits for no synchronous standby. If its disk is lost, so are the latest saves"
    case .collation:
      "The database sorts texts by the rules of a language and not by their bytes. Restore a backup into "
        + "one with LOCALE 'C'"
    case .clock:
      "The clock of the database's server differs from this machine's by more than 5 s. Set both by NTP"
    }
  }
}

extension ProcessStatus {
  /// Returns the lines about the supervisor: state, address, generation and last reload.
  package func heading(at now: Instant) -> [String] {
    let state = isStopping ? "stopping" : isReloading ? "reloading" : "running"
    var lines = [
      "Polyclinic is \(state): process \(pid), for \(Self.span(from: started, to: now))",
      "Listens at \(listen); generation \(generation)",
    ]
    if let reload = lastReload {
      let result = reload.failure.map { "failed: \($0)" } ?? "went well"
      lines.append("Last reload, \(Self.span(from: reload.finished, to: now)) ago, \(result)")
    }
    return lines
  }

  /// Returns the table with one line for each process.
  package func rows(at now: Instant) -> [String] {
    let heading = ["PROCESS", "STATE", "PID", "FOR", "RESTARTS", "GENERATION"]
    return TextTable([heading] + processes.map { $0.cells(at: now) }).lines
  }

  fileprivate static func span(from start: Int64, to now: Instant) -> String {
    span(of: Seconds(now.seconds - start))
  }

  /// Formats a time span in its two largest units: `3 d 4 h`, `2 min 5 s`.
  package static func span(of span: Seconds) -> String {
    let seconds = max(0, span.count)
    let units: [(String, Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60)]
    for (index, (name, length)) in units.enumerated() where seconds >= length {
      let (smaller, size) = index + 1 < units.count ? units[index + 1] : ("s", 1)
      return "\(seconds / length) \(name) \(seconds % length / size) \(smaller)"
    }
    return "\(seconds) s"
  }
}

extension ProcessStatus.Entry {
  fileprivate func cells(at now: Instant) -> [String] {
    [
      role == .worker ? "worker \(number)" : role.rawValue,
      isFailing ? "failing" : state.rawValue,
      pid.map { "\($0)" } ?? "-",
      started.map { ProcessStatus.span(from: $0, to: now) } ?? "-", "\(restarts)",
      "\(generation)",
    ]
  }
}

extension ReleaseDirectory {
  /// Returns a line for `polyclinic status`: the release that serves, and the target of a rollback.
  /// Nil if no release is kept.
  package func sentence(of serving: ServingRelease) throws -> String? {
    let previous = try releases(before: serving).first
    let way =
      previous.map { "\"polyclinic rollback\" goes back to \($0.title)" }
      ?? "no earlier one is kept"
    guard let own = try copy(of: serving) else {
      return previous == nil ? nil : "The installed release serves; \(way)"
    }
    return serving.kept == nil
      ? "Release \(own.id) serves; \(way)" : "Rolled back to release \(own.id); \(way)"
  }
}
