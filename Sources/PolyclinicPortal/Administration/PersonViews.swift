import PolyclinicCore
import PolyclinicWeb

/// The account of one person as HTML, with an administrator's actions.
enum PersonViews {
  /// Returns the page's content. `linkUntil` is the time until which a one-time link of the person
  /// works.
  static func person(
    _ entry: PeopleList.Entry, linkUntil: Instant?, _ context: Context
  ) -> HTML {
    """
    \(entry.account.flatMap { approval($0, context) })\(facts(entry, context))\
    \(linkUntil.map { unusedLink(of: entry.person, until: $0, context) })\
    \(entry.account.map { rights($0, context) } ?? invitation(of: entry.person, context))\
    \(erasure(of: entry.person, context))
    """
  }

  private static func facts(_ entry: PeopleList.Entry, _ context: Context) -> HTML {
    context.facts([
      HTML.Fact("person.login", text: entry.profile.login),
      HTML.Fact("person.email", text: entry.profile.email),
      HTML.Fact("person.number", text: entry.person.description),
      HTML.Fact("people.roles", "\(PeopleViews.roles(entry.account, context))"),
      HTML.Fact("people.state", PeopleViews.state(entry.account, context)),
    ])
  }

  /// Says that a link has not been used yet, with the button that makes it invalid.
  private static func unusedLink(
    of person: ID<Person>, until expiry: Instant, _ context: Context
  ) -> HTML {
    context.notice(
      .remark, Text("person.link.unused", ["time": context.formats.dateTime(expiry)]),
      action: context.button(
        "person.link.withdraw", posts: "/admin/people/\(person)/link/withdraw",
        style: [.secondary, .small]))
  }

  /// The button that invites a person without an account, who cannot sign in otherwise.
  private static func invitation(of person: ID<Person>, _ context: Context) -> HTML {
    """
    <h2>\(context.text("person.access"))</h2>\
    <p class="muted">\(context.text("person.invite.about"))</p>\
    \(actions: context.button(
      "person.invite", posts: "/admin/people/\(person)/invite", style: .secondary))
    """
  }

  private static func erasure(of person: ID<Person>, _ context: Context) -> HTML {
    if isOwn(person, context) {
      return section("person.erase", "person.own.about", [ownErasure(context)], context)
    }
    let question = context.button(
      "person.erase.ask", to: "/admin/people/\(person)/erase", style: [.danger, .secondary])
    return section("person.erase", "person.erase.about", [question], context)
  }

  /// True if the account is the visitor's own. A session alone neither makes a link for it nor
  /// erases it, because a session may be left unattended.
  static func isOwn(_ person: ID<Person>, _ context: Context) -> Bool {
    context.visitor?.person == person
  }

  private static func ownAccess(_ context: Context) -> [HTML?] {
    [
      context.button("person.own.password", to: "/account/password", style: .secondary),
      context.button("person.own.second-factor", to: "/account/two-factor", style: .secondary),
    ]
  }

  private static func ownErasure(_ context: Context) -> HTML {
    context.button("person.own.erase", to: "/account/delete", style: [.danger, .secondary])
  }

  private static func rights(_ account: Account, _ context: Context) -> HTML {
    """
    <h2>\(context.text("people.roles"))</h2><p class="muted">\(context.text("person.roles.about"))</p>\
    \(rows: [Role.doctor, .receptionist, .administrator], {
      role($0, account, context)
    })\
    \(access(account, context))
    """
  }

  /// The one-time link, shown only once.
  static func link(_ address: String, _ about: Text, _ context: Context) -> HTML {
    """
    <section class="panel"><p>\(context.text(
      about, count: Int(OneTimeLink.lifetime.count / 3_600)))</p>\
    <output class="secret" id="link" dir="ltr">\(address)</output>\
    \(actions: context.copyButton("person.link.copy", of: "link", copied: "person.link.copied"))\
    </section>
    """
  }

  /// The page with the reason why nothing was changed.
  static func conflict(_ text: Text, _ person: ID<Person>, _ context: Context) -> Response {
    .page(
      Page(
        "person.unchanged",
        context.notice(.problem, text),
        back: "people/\(person)"),
      status: 409)
  }

  /// The page that leads to the pages of one's own account, in place of an action for other people.
  static func own(_ person: ID<Person>, status: Int, _ context: Context) -> Response {
    .page(
      Page(
        "person.unchanged",
        """
        \(context.notice(.problem, "person.own.about"))\
        \(actions: ownAccess(context) + [ownErasure(context)])
        """,
        back: "people/\(person)"),
      status: status)
  }

  private static func approval(_ account: Account, _ context: Context) -> HTML? {
    guard let role = account.wantedRole else { return nil }
    let path: Path = "/admin/people/\(account.person)"
    return """
      <section class="panel"><h2>\(context.text(Text("person.waits.\(role.rawValue)")))</h2>\
      <p>\(context.text("person.approval.about"))</p>\
      \(actions:
        button("person.approve", posts: "\(path)/approve", role, [], context),
        button("person.decline", posts: "\(path)/decline", role, .secondary, context))</section>
      """
  }

  private static func role(_ role: Role, _ account: Account, _ context: Context) -> HTML {
    let path: Path = "/admin/people/\(account.person)"
    let name = context.text(Text("role.\(role.rawValue)"))
    let isGiven = account.roles.contains(role)
    let mark: HTML? =
      isGiven ? context.badge("person.role.given", .good) : nil
    let change =
      isGiven
      ? context.button(
        "person.role.take", to: Path("\(path)/take").query(["role": role.rawValue]),
        style: [.secondary, .small], of: name)
      : role == .administrator
        ? context.button(
          "person.role.give", to: Path("\(path)/give").query(["role": role.rawValue]),
          style: [.secondary, .small], of: name)
        : button("person.role.give", posts: "\(path)/give", role, [.secondary, .small], context)
    return .row(
      "\(name)", mark: mark, detail: "\(context.text(Text("role.\(role.rawValue).about")))",
      actions: change)
  }

  private static func access(_ account: Account, _ context: Context) -> HTML {
    let path: Path = "/admin/people/\(account.person)"
    switch account.state {
    case .active:
      let links: [HTML?] = [
        context.button("person.link", posts: "\(path)/link", style: .secondary),
        account.secondFactor == nil
          ? nil
          : context.button(
            "person.second-factor-link", posts: "\(path)/second-factor-link", style: .secondary),
      ]
      let suspension = context.button(
        "person.suspend", to: "\(path)/suspend", style: [.danger, .secondary])
      let isOwn = isOwn(account.person, context)
      return """
        \(section(
          "person.access", isOwn ? "person.own.about" : "person.link.about",
          isOwn ? ownAccess(context) : links, context))\
        \(section("person.suspension", "person.suspend.about", [suspension], context))
        """
    case .suspended:
      let reinstatement = context.button(
        "person.reinstate", posts: "\(path)/reinstate", style: .secondary)
      return section("person.access", "person.link.suspended", [reinstatement], context)
    }
  }

  private static func section(
    _ title: Text, _ about: Text, _ buttons: [HTML?], _ context: Context
  ) -> HTML {
    """
    <h2>\(context.text(title))</h2><p class="muted">\(context.text(about))</p>\
    \(actions: buttons)
    """
  }

  private static func button(
    _ label: Text, posts path: Path, _ role: Role, _ style: HTML.ButtonStyle, _ context: Context
  ) -> HTML {
    context.button(
      label, posts: path, with: ["role": role.rawValue], style: style,
      of: context.text(Text("role.\(role.rawValue)")))
  }
}
