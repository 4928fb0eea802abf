import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

extension StatusReport {
  /// Returns the status as text for a terminal. `modules` are the names of the enabled modules.
  package func text(modules: [String], at now: Instant) -> String {
    var lines = processes?.heading(at: now) ?? ["Polyclinic is not running."]
    lines += [availabilityLine(at: now), backupLine(at: now), databaseLine, Self.line(of: modules)]
    if processes?.processes.contains(where: \.isFailing) == true {
      lines.append(Self.refusedWrites)
    }
    lines += drafts.map(DatabaseCopies.sentence(ofDraft:))
    lines += former.map(DatabaseCopies.sentence(of:))
    if let release { lines.append(release) }
    if let mail { lines.append(mail.sentence(at: now)) }
    if let processes { lines += [""] + processes.rows(at: now) }
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
    guard let database, let free else { return "The database is not in its place" }
    let log = ByteCount(log ?? 0).text
    return "Database \(ByteCount(database).text), its log \(log); \(ByteCount(free).text) free"
      + (isDiskScarce ? ", WHICH IS LITTLE" : "")
  }

  private static let refusedWrites = """
    The database refuses writes, and the log says why. If its file was replaced while the portal runs, put \
    it back, or run "polyclinic reload" to serve from the present one
    """

  private static func line(of modules: [String]) -> String {
    modules.isEmpty ? "No module is on" : "Modules: \(modules.joined(separator: ", "))"
  }
}
