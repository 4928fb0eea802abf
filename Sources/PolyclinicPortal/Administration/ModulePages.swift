import PolyclinicCore
import PolyclinicWeb

/// The page with all modules and the buttons that turn them on and off.
struct ModulePages: Sendable {
  /// The seconds between automatic reloads of the page while a module is being turned on or off.
  private static let refreshInterval = 2
  /// The time after which the page reports a problem with the change.
  private static let gracePeriod = Seconds.seconds(30)

  let server: ServerReference
  let moduleSwitch: any ModuleSwitch

  func list(_ context: Context) throws -> Response {
    // A built-in module is listed only if it stores personal data.
    let members = server().installation.members.filter {
      !$0.isBuiltIn || !$0.module.personalData.kept.isEmpty
    }
    let switched = Switched(context.request.query, members)
    var refresh: Int?
    var notice: HTML?
    if let switched {
      let isLate = context.now - switched.since > Self.gracePeriod
      if !switched.isDone, !isLate { refresh = Self.refreshInterval }
      notice = self.notice(switched, isLate: isLate, context)
    }
    return .page(
      Page(
        "modules.title",
        """
        \(notice)<p class="lead">\(context.text("modules.about"))</p>\
        \(rows: members, { row($0, context) })
        """,
        back: "", refresh: refresh))
  }

  /// Asks before a module is turned on or off, with the consequences.
  func ask(_ isEnabled: Bool, _ context: Context) throws -> Response {
    let member = try member(context)
    let action: Path = isEnabled ? "enable" : "disable"
    let words = isEnabled ? "enable" : "disable"
    return .page(
      Page(
        Text("modules.\(words).title", ["module": title(member, context)]),
        """
        <p>\(context.text(Text("modules.\(words).question")))</p>\
        \(isEnabled ? kept(by: member, context) : nil)\
        \(actions:
          context.button(
            Text("modules.\(words)"), posts: "/admin/modules/\(member.module.id)/\(action)",
            style: isEnabled ? [] : .danger),
          context.button("form.cancel", to: "/admin/modules", style: .secondary))
        """,
        back: "modules", width: .narrow))
  }

  /// Returns the module of the path. Throws ``Refusal/notFound`` for a built-in one.
  private func member(_ context: Context) throws -> InstalledModule {
    let members = server().installation.members
    let module = members.first { $0.module.id.rawValue == context.request.parameters["id"] }
    guard let module, !module.isBuiltIn else { throw Refusal.notFound }
    return module
  }

  func enable(_ context: Context) throws -> Response { try set(true, .enableModule, context) }

  func disable(_ context: Context) throws -> Response { try set(false, .disableModule, context) }

  /// Turns a module on or off. The audit entry comes first, because a transaction cannot roll back
  /// a change of the configuration file.
  private func set(
    _ isEnabled: Bool, _ action: AuditEntry.Action, _ context: Context
  ) throws -> Response {
    let id = try member(context).module.id
    let author = AuditEntry.Author.person(try context.signedIn().person)
    try context.write { context in
      try AuditEntry(action, by: author, at: context.now, module: id).insert(on: context)
    }
    let event = SecurityEvent(
      .moduleSwitched, ["action": action.rawValue, "module": id.rawValue])
    switch try moduleSwitch.set(id, enabled: isEnabled) {
    case .reloading, .reloaded, .written:
      let state = isEnabled ? Switched.on : Switched.off
      return .redirect(
        to: Path("/admin/modules").query([
          "switched": id.rawValue, "to": state, "since": String(context.now.seconds),
        ])
      ).logging(event)
    case .unwritable(let text): return Self.unwritten(text, context).logging(event)
    }
  }

  /// The page with the lines to write into the configuration by hand.
  static func unwritten(_ text: String, _ context: Context) -> Response {
    .page(
      Page(
        "modules.unwritten.title",
        """
        <p>\(context.text("modules.unwritten.about"))</p>\
        <pre class="panel mono" dir="ltr">\(text)</pre>
        """,
        back: "modules"),
      status: 409)
  }
}

extension ModulePages {
  /// The module that was just turned on or off, read from the query.
  private struct Switched {
    static let on = "on"
    static let off = "off"

    let member: InstalledModule
    let isEnabled: Bool
    let since: Instant
    var isDone: Bool { member.isEnabled == isEnabled }

    init?(_ query: Fields, _ members: [InstalledModule]) {
      guard let member = members.first(where: { $0.module.id.rawValue == query["switched"] }),
        [Self.on, Self.off].contains(query["to"]), let since = Int64(query["since"])
      else { return nil }
      self.member = member
      isEnabled = query["to"] == Self.on
      self.since = Instant(since)
    }
  }

  private func notice(_ switched: Switched, isLate: Bool, _ context: Context) -> HTML {
    let title = title(switched.member, context)
    if switched.isDone {
      let key = switched.isEnabled ? "modules.is-on" : "modules.is-off"
      return context.notice(.outcome, Text(key, ["module": title]))
    }
    if isLate { return context.notice(.problem, "modules.late") }
    return context.notice(.outcome, Text("modules.soon", ["module": title]), as: .information)
  }

  private func row(_ member: InstalledModule, _ context: Context) -> HTML {
    .row(
      content: """
        <strong>\(title(member, context))</strong> \(state(member, context))\
        \(kept(by: member, context))
        """, actions: button(member, context))
  }

  /// The personal data that the module stores, in the words of the privacy page.
  private func kept(by member: InstalledModule, _ context: Context) -> HTML {
    let kept = member.module.personalData.kept
    if kept.isEmpty {
      return """
        <span class="secondary-text">\(context.text("modules.keeps-nothing"))</span>
        """
    }
    let items: [HTML] = kept.map {
      "<li>\(member.phrasebook.string($0.what, in: context.language))</li>"
    }
    return """
      <details class="more-text"><summary>\(context.text("modules.keeps"))\
      <span class="hidden-text">: \(title(member, context))</span></summary>\
      <p>\(context.text("modules.keeps.words"))</p><ul>\(items)</ul></details>
      """
  }

  private func state(_ member: InstalledModule, _ context: Context) -> HTML {
    if member.isBuiltIn {
      return context.badge("modules.built-in")
    }
    return member.isEnabled
      ? context.badge("modules.on", .good)
      : context.badge("modules.off", .off)
  }

  private func button(_ member: InstalledModule, _ context: Context) -> HTML? {
    if member.isBuiltIn { return nil }
    let id = member.module.id
    let path: Path =
      member.isEnabled ? "/admin/modules/\(id)/disable" : "/admin/modules/\(id)/enable"
    let label: Text = member.isEnabled ? "modules.disable" : "modules.enable"
    return context.button(
      label, to: path, style: [.secondary, .small], of: title(member, context))
  }

  private func title(_ member: InstalledModule, _ context: Context) -> String {
    member.phrasebook.string(member.module.title, in: context.language)
  }
}
