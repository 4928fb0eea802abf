import PolyclinicCore

/// The modules of this portal, and the buttons that switch them.
struct ModulePages: Sendable {
  /// How often the page looks whether a module has been switched.
  private static let refreshInterval = 2
  /// After this long it is said that something is wrong.
  private static let patience = Seconds.seconds(30)

  let moduleSwitch: any ModuleSwitch

  func list(_ context: Context) throws -> Response {
    // A module that is always on says something here only if it keeps something about people.
    let members = try context.front().installation.members.filter {
      !$0.isBuiltIn || !$0.module.personalData.kept.isEmpty
    }
    let switched = Switched(context.request.query, members)
    var refresh: Int?
    var notice: HTML?
    if let switched {
      let isLate = context.now - switched.since > Self.patience
      if !switched.isDone, !isLate { refresh = Self.refreshInterval }
      notice = self.notice(switched, isLate: isLate, context)
    }
    return .page(
      Page(
        "modules.title",
        """
        \(notice)<p class="lead">\(context.text("modules.about"))</p>\
        <ul class="rows">\(each: members, { row($0, context) })</ul>
        """,
        back: "", refresh: refresh))
  }

  func enable(_ context: Context) throws -> Response { try set(true, .enableModule, context) }

  func disable(_ context: Context) throws -> Response { try set(false, .disableModule, context) }

  /// The wish is recorded first: a change of the configuration cannot be undone with a transaction.
  private func set(
    _ isEnabled: Bool, _ action: AuditEntry.Action, _ context: Context
  ) throws -> Response {
    let members = try context.front().installation.members
    let module = members.first { $0.module.id.rawValue == context.request.parameters["id"] }
    guard let module, !module.isBuiltIn else { throw Refusal.notFound }
    let id = module.module.id
    let author = AuditEntry.Author.person(try context.signedIn().person)
    try context.database.write { connection in
      try AuditEntry(action, by: author, at: context.now, module: id).insert(on: connection)
    }
    context.visit?.record(
      SecurityEvent(.moduleSwitched, ["action": action.rawValue, "module": id.rawValue]))
    switch try moduleSwitch.set(id, enabled: isEnabled) {
    case .reloading, .reloaded, .written:
      let state = isEnabled ? Switched.on : Switched.off
      return .redirect(
        to: Path("/admin/modules").query([
          "switched": id.rawValue, "to": state, "since": String(context.now.seconds),
        ]))
    case .unwritable(let text): return Self.unwritten(text, context)
    }
  }

  /// What to write by hand.
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
  /// The module that was switched a moment ago.
  private struct Switched {
    static let on = "on"
    static let off = "off"

    let member: Installation.Member
    let isEnabled: Bool
    let since: Instant
    var isDone: Bool { member.isEnabled == isEnabled }

    init?(_ query: Fields, _ members: [Installation.Member]) {
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
      let text: Text = switched.isEnabled ? "modules.is-on" : "modules.is-off"
      return """
        <div class="notice success" role="status"><p>\(context.text(text, ["module": title]))</p></div>
        """
    }
    if isLate {
      return """
        <div class="notice warning" role="alert"><p>\(context.text("modules.late"))</p></div>
        """
    }
    return """
      <div class="notice" role="status"><p>\(context.text("modules.soon", ["module": title]))</p></div>
      """
  }

  private func row(_ member: Installation.Member, _ context: Context) -> HTML {
    """
    <li><div class="item"><div><strong>\(title(member, context))</strong> \
    \(state(member, context))\(kept(by: member, context))</div>\
    \(button(member, context))</div></li>
    """
  }

  /// What the module keeps, as those it keeps something about read it.
  private func kept(by member: Installation.Member, _ context: Context) -> HTML {
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

  private func state(_ member: Installation.Member, _ context: Context) -> HTML {
    if member.isBuiltIn {
      return "<span class=\"badge\">\(context.text("modules.built-in"))</span>"
    }
    return member.isEnabled
      ? "<span class=\"badge ok\">\(context.text("modules.on"))</span>"
      : "<span class=\"badge off\">\(context.text("modules.off"))</span>"
  }

  private func button(_ member: Installation.Member, _ context: Context) -> HTML? {
    if member.isBuiltIn { return nil }
    let id = member.module.id
    let path: Path =
      member.isEnabled ? "/admin/modules/\(id)/disable" : "/admin/modules/\(id)/enable"
    let label: Text = member.isEnabled ? "modules.disable" : "modules.enable"
    return """
      <div class="actions"><form method="post" action="\(path)" class="inline">\
      \(context.hiddenFields())<button class="button secondary small">\(context.text(label))\
      <span class="hidden-text"> \(title(member, context))</span></button></form></div>
      """
  }

  private func title(_ member: Installation.Member, _ context: Context) -> String {
    member.phrasebook.string(member.module.title, in: context.language)
  }
}
