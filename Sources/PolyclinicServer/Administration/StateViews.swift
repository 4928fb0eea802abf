import PolyclinicCore

/// How the portal is, at a glance, for administrators.
struct StateViews {
  let glance: Glance
  let modules: [Installation.Member]
  let context: Context

  /// What waits for somebody's hand, before anything else.
  var warnings: [HTML] {
    var texts: [Text] = []
    if let backup = glance.backup, backup.isLate(at: context.now) {
      texts.append(backup.newest == nil ? "state.backup.missing" : "state.backup.late")
    }
    if let mail = glance.mail {
      texts.append(Text("state.mail.held-up", ["since": context.formats.dateTime(mail.since)]))
    }
    if glance.isDiskScarce { texts.append("state.free.little") }
    return texts.map {
      "<div class=\"notice warning\" role=\"alert\"><p>\(context.text($0))</p></div>"
    }
  }

  var section: HTML {
    """
    <h2>\(context.text("state.title"))</h2><dl class="details">\
    \(row("state.availability", availability))\(row("state.backup", backup))\
    \(row("state.database", database))\(row("state.free", free))\
    \(row("state.modules", moduleNames))</dl>\(processes)
    """
  }

  private func row(_ label: Text, _ value: HTML) -> HTML {
    "<div><dt>\(context.text(label))</dt><dd>\(value)</dd></div>"
  }

  private var unknown: HTML { "\(context.text("state.unknown"))" }

  private var availability: HTML {
    guard let share = glance.availability.map(Percentage.init) else { return unknown }
    let promised = Percentage(of: Availability.promised)
    let below: HTML? =
      share.hundredths < promised.hundredths
      ? " <span class=\"badge danger\">\(context.text("state.availability.below"))</span>" : nil
    var values = [
      "share": text(of: share, fractionDigits: 2),
      "promised": text(of: promised, fractionDigits: 1),
    ]
    values["since"] = glance.availableSince.map(context.formats.dateTime)
    let words = context.text(
      values["since"] == nil ? "state.availability.value" : "state.availability.since", values)
    return "\(words)\(below)"
  }

  /// With its sign, which would else stand on the wrong side of the number in Hebrew.
  private func text(of percentage: Percentage, fractionDigits: Int) -> String {
    context.formats.number(percentage.value, fractionDigits: fractionDigits)
      + context.text("state.percent")
  }

  private var backup: HTML {
    guard let backup = glance.backup else { return unknown }
    return "\(backup.newest.map(context.formats.dateTime) ?? context.text("state.backup.none"))"
  }

  private var database: HTML {
    guard let size = glance.database else { return unknown }
    let words = context.text(
      "state.database.value", ["size": text(of: size), "log": text(of: glance.log ?? 0)])
    return "\(words)"
  }

  private var free: HTML { glance.free.map { "\(text(of: $0))" } ?? unknown }

  private var moduleNames: HTML {
    let names = modules.filter(\.isEnabled).map {
      $0.phrasebook.string($0.module.title, in: context.language)
    }
    return "\(names.isEmpty ? context.text("state.modules.none") : names.joined(separator: ", "))"
  }

  private func text(of bytes: UInt64) -> String {
    let count = ByteCount(bytes)
    return context.text(
      Text("state.size.\(count.unit.rawValue)"),
      ["number": context.formats.number(count.value, fractionDigits: count.fractionDigits)])
  }
}

extension StateViews {
  private var processes: HTML? {
    guard let entries = glance.processes?.processes else { return nil }
    let heads: [Text] = [
      "state.process", "state.process.state", "state.process.since", "state.process.restarts",
    ]
    return """
      <h2>\(context.text("state.processes"))</h2>\
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("state.processes"))">\
      <table class="data stack"><thead><tr>\
      \(each: heads, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(each: entries, row)</tbody></table></div>
      """
  }

  private func row(_ entry: ProcessStatus.Entry) -> HTML {
    let name = context.text(
      Text("state.process.\(entry.role.rawValue)"),
      ["number": context.formats.number(entry.number)])
    let since = entry.started.map { context.formats.dateTime(Instant($0)) } ?? "–"
    return """
      <tr><th scope="row">\(name)</th>\
      <td data-label="\(context.text("state.process.state"))">\(badge(entry.state))</td>\
      <td data-label="\(context.text("state.process.since"))">\(since)</td>\
      <td data-label="\(context.text("state.process.restarts"))">\
      \(context.formats.number(entry.restarts))</td></tr>
      """
  }

  private func badge(_ state: ProcessStatus.State) -> HTML {
    let text = context.text(Text("state.process.\(state.rawValue)"))
    switch state {
    case .ready: return "<span class=\"badge ok\">\(text)</span>"
    case .pausing: return "<span class=\"badge danger\">\(text)</span>"
    case .starting, .leaving: return "<span class=\"badge waiting\">\(text)</span>"
    }
  }
}
