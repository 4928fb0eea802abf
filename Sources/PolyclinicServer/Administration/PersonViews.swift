import PolyclinicCore

/// One person's account as HTML, with what an administrator can do.
enum PersonViews {
  static func person(_ entry: PeopleList.Entry, _ context: Context) -> HTML {
    """
    \(entry.account.flatMap { approval($0, context) })<dl class="details">\
    \(fact("person.login", entry.profile.login, context))\
    \(fact("person.email", entry.profile.email, context))\
    \(fact("person.number", entry.person.description, context))\
    <div><dt>\(context.text("people.roles"))</dt>\
    <dd>\(PeopleViews.roles(entry.account, context))</dd></div>\
    <div><dt>\(context.text("people.state"))</dt>\
    <dd>\(PeopleViews.state(entry.account, context))</dd></div></dl>\
    \(entry.account.map { rights($0, context) } ?? invitation(of: entry.person, context))\
    \(erasure(of: entry.person, context))
    """
  }

  /// Those without an account cannot sign in until they are invited.
  private static func invitation(of person: ID<Person>, _ context: Context) -> HTML {
    """
    <h2>\(context.text("person.access"))</h2>\
    <p class="muted">\(context.text("person.invite.about"))</p>\
    <div class="actions">\(context.button(
      "person.invite", posts: "/admin/people/\(person)/invite", style: "button secondary"))</div>
    """
  }

  private static func erasure(of person: ID<Person>, _ context: Context) -> HTML {
    """
    <h2>\(context.text("person.erase"))</h2>\
    <p class="muted">\(context.text("person.erase.about"))</p>\
    <p class="actions"><a class="button danger secondary" href="/admin/people/\(person)/erase">\
    \(context.text("person.erase.ask"))</a></p>
    """
  }

  private static func rights(_ account: Account, _ context: Context) -> HTML {
    """
    <h2>\(context.text("people.roles"))</h2><p class="muted">\(context.text("person.roles.about"))</p>\
    <ul class="rows">\(each: [Role.doctor, .receptionist, .administrator], {
      role($0, account, context)
    })</ul>\
    <h2>\(context.text("person.access"))</h2><p class="muted">\(context.text(
      account.state == .suspended ? "person.link.suspended" : "person.link.about"))</p>\
    <div class="actions">\(access(account, context))</div>
    """
  }

  /// The one-time link, shown once.
  static func link(_ address: String, _ about: Text, _ context: Context) -> HTML {
    """
    <section class="panel"><p>\(context.text(
      about, count: Int(OneTimeLink.lifetime.count / 3_600)))</p>\
    <output class="secret" id="link" dir="ltr">\(address)</output>\
    <p class="actions"><button class="button secondary" type="button" data-copy="link" \
    data-copied="\(context.text("person.link.copied"))" hidden>\(context.text("person.link.copy"))\
    </button></p></section>
    """
  }

  /// Why nothing was changed.
  static func conflict(_ text: Text, _ person: ID<Person>, _ context: Context) -> Response {
    .page(
      Page(
        "person.unchanged",
        "<div class=\"notice warning\" role=\"alert\"><p>\(context.text(text))</p></div>",
        back: "people/\(person)"),
      status: 409)
  }

  private static func fact(_ label: Text, _ value: String, _ context: Context) -> HTML? {
    if value.isEmpty { return nil }
    return "<div><dt>\(context.text(label))</dt><dd><bdi>\(value)</bdi></dd></div>"
  }

  private static func approval(_ account: Account, _ context: Context) -> HTML? {
    guard let role = account.wantedRole else { return nil }
    let path: Path = "/admin/people/\(account.person)"
    return """
      <section class="panel"><h2>\(context.text(Text("person.waits.\(role.rawValue)")))</h2>\
      <p>\(context.text("person.approval.about"))</p><div class="actions">\
      \(button("person.approve", posts: "\(path)/approve", role, "button", context))\
      \(button("person.decline", posts: "\(path)/decline", role, "button secondary", context))\
      </div></section>
      """
  }

  private static func role(_ role: Role, _ account: Account, _ context: Context) -> HTML {
    let path: Path = "/admin/people/\(account.person)"
    let name = context.text(Text("role.\(role.rawValue)"))
    let isGiven = account.roles.contains(role)
    let mark: HTML? =
      isGiven ? " <span class=\"badge ok\">\(context.text("person.role.given"))</span>" : nil
    let change =
      isGiven
      ? taking(role, Path("\(path)/take").query(["role": role.rawValue]), context)
      : button("person.role.give", posts: "\(path)/give", role, "button secondary small", context)
    return """
      <li><div class="item"><span><strong>\(name)</strong>\(mark)<span class="secondary-text">\
      \(context.text(Text("role.\(role.rawValue).about")))</span></span>\
      <div class="actions">\(change)</div></div></li>
      """
  }

  private static func taking(_ role: Role, _ path: Path, _ context: Context) -> HTML {
    """
    <a class="button secondary small" href="\(path)">\(context.text("person.role.take"))\
    <span class="hidden-text">: \(context.text(Text("role.\(role.rawValue)")))</span></a>
    """
  }

  private static func access(_ account: Account, _ context: Context) -> HTML {
    switch account.state {
    case .active:
      """
      \(context.button(
        "person.link", posts: "/admin/people/\(account.person)/link", style: "button secondary"))\
      \(account.secondFactor == nil ? nil : context.button(
        "person.second-factor-link", posts: "/admin/people/\(account.person)/second-factor-link",
        style: "button secondary"))\
      <a class="button danger secondary" href="/admin/people/\(account.person)/suspend">\
      \(context.text("person.suspend"))</a>
      """
    case .suspended:
      context.button(
        "person.reinstate", posts: "/admin/people/\(account.person)/reinstate",
        style: "button secondary")
    }
  }

  private static func button(
    _ label: Text, posts path: Path, _ role: Role, _ style: StaticString, _ context: Context
  ) -> HTML {
    """
    <form method="post" action="\(path)" class="inline">\(context.hiddenFields())\
    <input type="hidden" name="role" value="\(role.rawValue)">\
    <button class="\(style)">\(context.text(label))\
    <span class="hidden-text">: \(context.text(Text("role.\(role.rawValue)")))</span></button></form>
    """
  }
}
