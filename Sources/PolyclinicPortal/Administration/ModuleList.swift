import PolyclinicCore
import PolyclinicWeb

/// The page with all modules and the buttons that turn them on and off.
struct ModuleList: RoutedPage {
  static let address: Address<Void> = "/admin/modules"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "modules.title"

  /// The seconds between automatic reloads of the page while a module is being turned on or off.
  private static let refreshInterval = 2
  /// The time after which the page reports a problem with the change.
  private static let gracePeriod = Seconds.seconds(30)

  private let members: [InstalledModule]
  private let switched: Switched?
  private let context: Context

  init(_ context: Context) {
    self.context = context
    // A built-in module is listed only if it stores personal data.
    members = context.server.installation.members.filter {
      !$0.isBuiltIn || !$0.module.personalData.kept.isEmpty
    }
    switched = Switched(context.request.query, members)
  }

  /// The module that was just turned on or off, read from the query.
  private struct Switched {
    let member: InstalledModule
    let isEnabled: Bool
    let since: Instant
    var isDone: Bool { member.isEnabled == isEnabled }

    init?(_ query: Fields, _ members: [InstalledModule]) {
      guard let member = members.first(where: { $0.module.id.rawValue == query["switched"] }),
        ["on", "off"].contains(query["to"]), let since = Int64(query["since"])
      else { return nil }
      self.member = member
      isEnabled = query["to"] == "on"
      self.since = Instant(since)
    }
  }

  /// Returns the path of the page that waits for the change of a module.
  fileprivate static func path(switching id: ModuleID, on: Bool, at now: Instant) -> Path {
    path.query([
      "switched": id.rawValue, "to": on ? "on" : "off", "since": String(now.seconds),
    ])
  }

  var page: Page {
    let isLate = switched.map { context.now - $0.since > Self.gracePeriod } ?? false
    let refresh = switched.flatMap { $0.isDone || isLate ? nil : Self.refreshInterval }
    return Page(
      "modules.title",
      """
      \(switched.map { notice($0, isLate: isLate) })\
      <p class="lead">\(context.text("modules.about"))</p>\(rows: members, row)
      """,
      back: OverviewPage.path, refresh: refresh)
  }

  private func notice(_ switched: Switched, isLate: Bool) -> HTML {
    let named = ["module": switched.member.title(in: context.language)]
    if switched.isDone {
      let key = switched.isEnabled ? "modules.is-on" : "modules.is-off"
      return context.notice(.outcome, Text(key, named))
    }
    if isLate { return context.notice(.problem, "modules.late") }
    return context.notice(.outcome, Text("modules.soon", named), as: .information)
  }

  private func row(_ member: InstalledModule) -> HTML {
    .row(
      content: """
        <strong>\(member.title(in: context.language))</strong> \(state(of: member))\
        \(context.kept(by: member))
        """, actions: button(for: member))
  }

  private func state(of member: InstalledModule) -> HTML {
    if member.isBuiltIn { return context.badge("modules.built-in") }
    return member.isEnabled
      ? context.badge("modules.on", .good) : context.badge("modules.off", .off)
  }

  private func button(for member: InstalledModule) -> HTML? {
    if member.isBuiltIn { return nil }
    let address = member.isEnabled ? ModuleQuestion.disabling : ModuleQuestion.enabling
    let label: Text = member.isEnabled ? "modules.disable" : "modules.enable"
    return context.button(
      label, to: address.path(member.module.id.rawValue), style: [.secondary, .small],
      of: member.title(in: context.language))
  }
}

/// The question before a module is turned on or off, with the consequences, and the change itself.
struct ModuleQuestion {
  static let enabling: Address<String> = "/admin/modules/{id}/enable"
  static let disabling: Address<String> = "/admin/modules/{id}/disable"

  private let member: InstalledModule
  private let isEnabling: Bool
  private let context: Context

  static func routes(_ moduleSwitch: any ModuleSwitch) -> [Route] {
    [(enabling, true), (disabling, false)].flatMap { address, isEnabling in
      [
        .get(address.pattern, access: ModuleList.access) {
          .page(try ModuleQuestion(isEnabling: isEnabling, $0).page)
        },
        .post(address.pattern, access: ModuleList.access) {
          try ModuleQuestion(isEnabling: isEnabling, $0).change(by: moduleSwitch)
        },
      ]
    }
  }

  /// Finds the module of the path. Throws ``Refusal/notFound`` for a built-in one.
  private init(isEnabling: Bool, _ context: Context) throws {
    self.context = context
    self.isEnabling = isEnabling
    let members = context.server.installation.members
    let module = members.first { $0.module.id.rawValue == context.request.parameters["id"] }
    guard let module, !module.isBuiltIn else { throw Refusal.notFound }
    member = module
  }

  private var page: Page {
    let words = isEnabling ? "enable" : "disable"
    let address = isEnabling ? Self.enabling : Self.disabling
    return Page(
      Text("modules.\(words).title", ["module": member.title(in: context.language)]),
      """
      <p>\(context.text(Text("modules.\(words).question")))</p>\
      \(isEnabling ? context.kept(by: member) : nil)\
      \(actions:
        context.button(
          Text("modules.\(words)"), posts: address.path(member.module.id.rawValue),
          style: isEnabling ? [] : .danger),
        context.button("form.cancel", to: ModuleList.path, style: .secondary))
      """,
      back: ModuleList.path)
  }

  /// Turns the module on or off. The audit entry comes first, because a transaction cannot roll
  /// back a change of the configuration file.
  private func change(by moduleSwitch: any ModuleSwitch) throws -> Response {
    let id = member.module.id
    let action: AuditEntry.Action = isEnabling ? .enableModule : .disableModule
    let author = AuditEntry.Author.person(try context.signedIn().person)
    try context.write { context in
      try AuditEntry(action, by: author, at: context.now, module: id).insert(on: context)
    }
    let event = SecurityEvent(.moduleSwitched, ["action": action.rawValue, "module": id.rawValue])
    switch try moduleSwitch.set(id, enabled: isEnabling) {
    case .reloading, .reloaded, .written:
      return .redirect(to: ModuleList.path(switching: id, on: isEnabling, at: context.now))
        .logging(event)
    case .unwritable(let text): return .page(unwritten(text), status: 409).logging(event)
    }
  }

  /// Returns the page with the lines to write into the configuration by hand.
  private func unwritten(_ text: String) -> Page {
    Page(
      "modules.unwritten.title",
      """
      <p>\(context.text("modules.unwritten.about"))</p>\
      <pre class="panel mono" dir="ltr">\(text)</pre>
      """,
      back: ModuleList.path)
  }
}

extension InstalledModule {
  /// Returns the title in the module's own words.
  func title(in language: Language) -> String { phrasebook.string(module.title, in: language) }
}

extension Context {
  /// Returns the personal data that the module stores, in the words of the privacy page.
  fileprivate func kept(by member: InstalledModule) -> HTML {
    let kept = member.module.personalData.kept
    if kept.isEmpty {
      return "<span class=\"secondary-text\">\(text("modules.keeps-nothing"))</span>"
    }
    let items: [HTML] = kept.map { "<li>\(member.phrasebook.string($0.what, in: language))</li>" }
    return """
      <details class="more-text"><summary>\(text("modules.keeps"))\
      <span class="hidden-text">: \(member.title(in: language))</span></summary>\
      <p>\(text("modules.keeps.words"))</p><ul>\(items)</ul></details>
      """
  }
}

/// Turns modules on and off in the configuration and reloads the portal.
package protocol ModuleSwitch: Sendable {
  /// Writes the module's setting to the configuration and has the portal reload.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching
}

/// The outcome of turning a module on or off.
package enum ModuleSwitching: Equatable, Sendable {
  /// The configuration is written. It takes effect when the portal has reloaded, in a moment.
  case reloading
  /// The configuration is written and in effect.
  case reloaded
  /// The configuration is written. It takes effect when the portal starts; it is not running.
  case written
  /// The configuration is not writable. An administrator has to add `text` to it by hand.
  case unwritable(text: String)
}
