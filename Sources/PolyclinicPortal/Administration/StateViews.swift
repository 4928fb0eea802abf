import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

/// The portal's status for administrators, as HTML.
struct StateViews {
  let report: StatusReport
  let modules: [InstalledModule]
  let context: Context

  var section: HTML {
    var facts: [(Text, HTML)] = [("state.availability", availability), ("state.backup", backup)]
    // The files of a server's database are not here.
    if context.files.database != nil { facts.append(("state.database", database)) }
    facts += [("state.free", free), ("state.modules", moduleNames)]
    return """
      <h2>\(context.text("state.title"))</h2>\
      \(context.facts(facts.map { HTML.Fact($0, $1) }))\(processes)\(machines)
      """
  }

  private var unknown: HTML { "\(context.text("state.unknown"))" }

  private var availability: HTML {
    guard let share = report.availability.map(Percentage.init) else { return unknown }
    let promised = Percentage(of: UptimeHistory.promised)
    let below: HTML? =
      report.isBelowTarget(at: context.now)
      ? " \(context.badge("state.availability.below", .danger))" : nil
    var values = [
      "share": text(of: share, fractionDigits: 2),
      "promised": text(of: promised, fractionDigits: 1),
    ]
    values["since"] = report.availableSince.map {
      context.formats.date(context.formats.day(of: $0))
    }
    let words = context.text(
      values["since"] == nil ? "state.availability.value" : "state.availability.since", values)
    return "\(words)\(below)"
  }

  private func text(of percentage: Percentage, fractionDigits: Int) -> String {
    context.formats.percent(percentage.value, fractionDigits: fractionDigits)
  }

  private var backup: HTML {
    guard let backup = report.backup else { return unknown }
    return "\(backup.newest.map(context.zonedDateTime) ?? context.text("state.backup.none"))"
  }

  private var database: HTML {
    guard let size = report.database else { return unknown }
    let words = context.text(
      "state.database.value", ["size": text(of: size), "log": text(of: report.log ?? 0)])
    return "\(words)"
  }

  private var free: HTML { report.free.map { "\(text(of: $0))" } ?? unknown }

  private var moduleNames: HTML {
    let names = modules.filter(\.isEnabled).map {
      $0.title(in: context.language)
    }
    return "\(names.isEmpty ? context.text("state.modules.none") : names.joined(separator: ", "))"
  }

  private func text(of bytes: UInt64) -> String {
    let count = ByteCount(bytes)
    return context.text(
      Text("state.size.\(count.unit.rawValue)"),
      ["number": context.formats.number(count.value, fractionDigits: count.fractionDigits)])
  }

  private var processes: HTML? {
    guard let entries = report.processes?.processes else { return nil }
    let table = context.table(
      "state.processes",
      ["state.process", "state.process.state", "state.process.since", "state.process.restarts"],
      entries.map(row))
    return "<h2>\(context.text("state.processes"))</h2>\(table)"
  }

  private func row(_ entry: ProcessStatus.Entry) -> [HTML] {
    let name = context.text(
      Text("state.process.\(entry.role.rawValue)"),
      ["number": context.formats.number(entry.number)])
    let since = entry.started.map { context.zonedDateTime(Instant($0)) } ?? "–"
    return [
      "\(name)", badge(entry.state), "\(since)", "\(context.formats.number(entry.restarts))",
    ]
  }

  private func badge(_ state: ProcessStatus.State) -> HTML {
    let tone: HTML.BadgeTone =
      switch state {
      case .ready: .good
      case .pausing: .danger
      case .starting, .leaving: .waiting
      }
    return context.badge(Text("state.process.\(state.rawValue)"), tone)
  }
}

extension StatusReport {
  /// Reads the status for a page of an administrator.
  init(_ context: Context) throws {
    self.init(context.files, at: context.now) {
      Stored(
        outages: try DeliveryOutage.all(
          of: context.server.site.sends, at: context.now, on: context),
        warnings: try context.portal.database.warnings(), machines: try Machine.all(on: context))
    }
  }

  /// Returns the problems that need an administrator.
  func problems(_ context: Context) -> [Text] {
    var texts: [Text] = []
    if let backup, backup.isLate(at: context.now) {
      texts.append(backup.newest == nil ? "state.backup.missing" : "state.backup.late")
    }
    texts += outages.map {
      Text("state.\($0.way.section).held-up", ["since": context.zonedDateTime($0.since)])
    }
    if isDiskScarce { texts.append("state.free.little") }
    texts += warnings.map { Text("state.warning.\($0.rawValue)") }
    texts += machineProblems(context)
    texts += drafts.map { Text("state.draft", ["file": $0]) }
    texts += former.map { Text("state.former", ["file": $0]) }
    return texts
  }
}

extension Context {
  /// Returns a moment with the portal's time zone, such as “21 November 2026 at 09:05 (UTC)”,
  /// because clinics may have other zones.
  func zonedDateTime(_ instant: Instant) -> String {
    "\(formats.dateTime(instant)) (\(formats.timeZone.identifier))"
  }

  /// Returns a table whose first column is the heading of each row. On a small screen each cell
  /// shows the title of its column.
  func table(_ title: Text, _ columns: [Text], _ rows: [[HTML]]) -> HTML {
    let heads = columns.map { text($0) }
    let lines: [HTML] = rows.map { cells in
      """
      <tr><th scope="row">\(cells.first)</th>\
      \(each: zip(heads, cells).dropFirst(), { "<td data-label=\"\($0)\">\($1)</td>" })</tr>
      """
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(text(title))">\
      <table class="data stack"><thead><tr>\
      \(each: heads, { "<th scope=\"col\">\($0)</th>" })</tr></thead>\
      <tbody>\(lines)</tbody></table></div>
      """
  }
}
