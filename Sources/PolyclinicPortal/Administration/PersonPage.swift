import PolyclinicCore
import PolyclinicWeb

/// The page of one person, with an administrator's actions on the account.
struct PersonPage: RoutedPage {
  static let address: Address<ID<Person>> = "/admin/people/{id}"
  static let access = Access.role(.administrator)
  static let linkTitle: Text? = "person.page"

  private let entry: PeopleList.Entry
  /// The effects of earlier withdrawals that stay.
  private let remainders: [HTML]
  /// The time until which a one-time link of the person works; nil if there is none.
  private let linkExpiry: Instant?
  /// True if the person has an app for codes, or a passkey.
  private let hasSecondFactor: Bool
  /// The notice of the change that was just made.
  private let outcome: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    (entry, remainders, linkExpiry, hasSecondFactor) = try context.write { context in
      let entry = try PeopleList.entry(of: context.id(), context)
      return (
        entry, try context.server.installation.remainders(of: entry.account, context),
        try OneTimeLink.expiry(for: entry.person, at: context.now, on: context),
        try entry.account?.secondFactor != nil || Passkey.isStored(for: entry.person, on: context)
      )
    }
    let roles = entry.account?.roles ?? []
    outcome = Done(rawValue: context.request.query["done"]).map { done in
      context.notice(
        .outcome, Text("person.done.\(done.rawValue)"),
        action: done.givesRole ? Self.nextSteps(roles, context) : nil)
    }
  }

  /// The change that was just made, for the page's message.
  enum Done: String {
    case approved, declined, given, taken, suspended, reinstated
    /// A one-time link was withdrawn.
    case withdrawn

    /// True if the person has a new role.
    fileprivate var givesRole: Bool { self == .approved || self == .given }
  }

  /// Returns links to what an administrator does for each new member of these roles; nil if no
  /// module has such a step.
  private static func nextSteps(_ roles: Set<Role>, _ context: Context) -> HTML? {
    let links: [HTML] = context.server.installation.firstSteps(for: access).compactMap {
      step, member in
      guard let role = step.role, roles.contains(role), let path = member.page(of: step, context)
      else { return nil }
      let title = member.phrasebook.string(step.title, in: context.language)
      return "<p><a href=\"\(path)\">\(title)</a></p>"
    }
    return links.isEmpty ? nil : "\(links)"
  }

  var page: Page {
    let account = entry.account
    return Page(
      Text("person.title", ["name": entry.profile.displayName]),
      """
      \(outcome)\(remainders)\(account.flatMap(approval))\(facts)\(linkExpiry.map(unusedLink))\
      \(account.map(rights) ?? invitation)\
      \(actions: context.button(
        "guardians.of", to: GuardiansPage.path(entry.person), style: .secondary))\(erasure)
      """,
      back: PeoplePage.path)
  }

  private var facts: HTML {
    context.facts([
      HTML.Fact("person.login", text: entry.profile.login),
      HTML.Fact("person.email", text: entry.profile.email),
      HTML.Fact("person.number", text: entry.person.description),
      // Everyone has the role patient.
      HTML.Fact("people.roles", "\(context.string(of: entry.account?.roles ?? [.patient]))"),
      HTML.Fact("people.state", entry.state(context)),
    ])
  }

  private func approval(of account: Account) -> HTML? {
    guard let role = account.wantedRole else { return nil }
    return """
      <section class="panel"><h2>\(context.text(Text("person.waits.\(role.rawValue)")))</h2>\
      <p>\(context.text("person.approval.about"))</p>\
      \(actions:
        button("person.approve", posts: Self.approval, role, []),
        button("person.decline", posts: Self.refusal, role, .secondary))</section>
      """
  }

  /// Says that a link has not been used yet, with the button that makes it invalid.
  private func unusedLink(until expiry: Instant) -> HTML {
    context.notice(
      .remark, Text("person.link.unused", ["time": context.formats.dateTime(expiry)]),
      action: context.button(
        "person.link.withdraw", posts: Self.withdrawal.path(entry.person),
        style: [.secondary, .small]))
  }

  /// The button that invites a person without an account, who cannot sign in otherwise.
  private var invitation: HTML {
    let button = context.button(
      "person.invite", posts: Self.invitation.path(entry.person), style: .secondary)
    let isYoung = entry.profile.birthDate.map {
      !GuardianshipAges.allowAccount(born: $0, at: context.now, in: context.formats.timeZone)
    }
    let young = Text("person.invite.young", ["age": String(GuardianshipAges.account)])
    let warning: HTML? = isYoung == true ? context.notice(.remark, young, as: .warning) : nil
    return "\(warning)\(section("person.access", "person.invite.about", [button]))"
  }

  private func rights(of account: Account) -> HTML {
    """
    <h2>\(context.text("people.roles"))</h2><p class="muted">\(context.text("person.roles.about"))</p>\
    \(rows: [Role.doctor, .receptionist, .administrator], {
      role($0, isGiven: account.roles.contains($0))
    })\
    \(access(to: account))
    """
  }

  private func role(_ role: Role, isGiven: Bool) -> HTML {
    let name = context.text(Text("role.\(role.rawValue)"))
    let change: HTML
    if isGiven || role == .administrator {
      let question = isGiven ? RoleRemoval.path(entry.person) : RoleGrant.path(entry.person)
      change = context.button(
        isGiven ? "person.role.take" : "person.role.give",
        to: question.query(["role": role.rawValue]), style: [.secondary, .small], of: name)
    } else {
      change = button("person.role.give", posts: RoleGrant.address, role, [.secondary, .small])
    }
    return .row(
      "\(name)", mark: isGiven ? context.badge("person.role.given", .good) : nil,
      detail: "\(context.text(Text("role.\(role.rawValue).about")))", actions: change)
  }

  private func access(to account: Account) -> HTML {
    let person = account.person
    if account.state == .suspended {
      let reinstatement = context.button(
        "person.reinstate", posts: Self.reinstatement.path(person), style: .secondary)
      return section("person.access", "person.link.suspended", [reinstatement])
    }
    let links: [HTML?] = [
      context.button("person.link", posts: Self.link.path(person), style: .secondary),
      !hasSecondFactor
        ? nil
        : context.button(
          "person.second-factor-link", posts: Self.secondFactorLink.path(person),
          style: .secondary),
    ]
    let suspension = context.button(
      "person.suspend", to: Suspension.path(person), style: [.danger, .secondary])
    let isOwn = context.isOwn(person)
    return """
      \(section(
        "person.access", isOwn ? "person.own.about" : "person.link.about",
        isOwn ? context.ownAccess : links))\
      \(section("person.suspension", "person.suspend.about", [suspension]))
      """
  }

  private var erasure: HTML {
    if context.isOwn(entry.person) {
      return section("person.erase", "person.own.about", [context.ownErasure])
    }
    let question = context.button(
      "person.erase.ask", to: PersonErasure.path(entry.person), style: [.danger, .secondary])
    return section("person.erase", "person.erase.about", [question])
  }

  private func section(_ title: Text, _ about: Text, _ buttons: [HTML?]) -> HTML {
    """
    <h2>\(context.text(title))</h2><p class="muted">\(context.text(about))</p>\
    \(actions: buttons)
    """
  }

  private func button(
    _ label: Text, posts address: Address<ID<Person>>, _ role: Role, _ style: HTML.ButtonStyle
  ) -> HTML {
    context.button(
      label, posts: address.path(entry.person), with: ["role": role.rawValue], style: style,
      of: context.text(Text("role.\(role.rawValue)")))
  }
}

extension PersonPage {
  /// Returns the page with the reason why nothing was changed.
  static func unchanged(_ person: ID<Person>, because reason: Text, _ context: Context) -> Page {
    Page("person.unchanged", context.notice(.problem, reason), back: path(person))
  }

  /// Returns the page that leads to the pages of one's own account, in place of an action for other
  /// people; nil for the account of another person.
  static func own(_ person: ID<Person>, _ context: Context) -> Page? {
    guard context.isOwn(person) else { return nil }
    return Page(
      "person.unchanged",
      """
      \(context.notice(.problem, "person.own.about"))\
      \(actions: context.ownAccess + [context.ownErasure])
      """,
      back: path(person))
  }
}

extension Context {
  /// True if the account is the visitor's own. A session alone neither makes a link for it nor
  /// erases it, because a session may be left unattended.
  fileprivate func isOwn(_ person: ID<Person>) -> Bool { visitor?.person == person }

  fileprivate var ownAccess: [HTML?] {
    [
      button("person.own.password", to: "/account/password", style: .secondary),
      button("person.own.second-factor", to: "/account/two-factor", style: .secondary),
    ]
  }

  fileprivate var ownErasure: HTML {
    button("person.own.erase", to: "/account/delete", style: [.danger, .secondary])
  }
}
