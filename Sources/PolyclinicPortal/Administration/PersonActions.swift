import PolyclinicCore
import PolyclinicWeb

/// An administrator's actions on one account. Each is one change in one transaction.
struct PersonActions {
  let server: ServerReference

  func approve(_ context: Context) throws -> Response {
    let role = try role(context)
    return try change(context, .approved) {
      try $0.approve(role, for: $1, on: $2)
      try context.portal.notify($1, Notice(.rights, "told.approved", leadingTo: "/"), in: $2)
    }
  }

  func decline(_ context: Context) throws -> Response {
    let role = try role(context)
    return try change(context, .declined) {
      try $0.decline(role, for: $1, on: $2)
      try context.portal.notify($1, Notice(.rights, "told.declined", leadingTo: "/account"), in: $2)
    }
  }

  /// The question before a person becomes an administrator. The page gives the other roles at once.
  func giveQuestion(_ context: Context) throws -> HTML {
    let role = try role(context)
    return """
      \(try question(
        context, "person.give.question.\(role == .administrator ? "administrator" : "other")",
        ["role": context.text(Text("role.\(role.rawValue)"))]) { _ in [] })\
      <input type="hidden" name="role" value="\(role.rawValue)">
      """
  }

  func give(_ context: Context) throws -> Redirect {
    let person: ID<Person> = try context.id()
    var administrator = try administrator(context)
    try administrator.give(role(context), to: person, on: context)
    return try next(after: administrator, person, .given, context)
  }

  func takeQuestion(_ context: Context) throws -> HTML {
    let role = try role(context)
    let named = ["role": context.text(Text("role.\(role.rawValue)"))]
    return """
      \(try question(context, "person.take.question", named) { _ in [role] })\
      <input type="hidden" name="role" value="\(role.rawValue)">
      """
  }

  func take(_ context: Context) throws -> Redirect {
    let person: ID<Person> = try context.id()
    var administrator = try administrator(context)
    try administrator.take(
      role(context), from: person, telling: server().installation, on: context)
    return try next(after: administrator, person, .taken, context)
  }

  func reinstate(_ context: Context) throws -> Response {
    try change(context, .reinstated) { try $0.reinstate($1, on: $2) }
  }

  func suspendQuestion(_ context: Context) throws -> HTML {
    try question(context, "person.suspend.question") { $0.roles }
  }

  /// The confirmation before a person loses roles, with the consequences.
  private func question(
    _ context: Context, _ about: String, _ arguments: [String: String] = [:],
    losing roles: (Account) -> Set<Role>
  ) throws -> HTML {
    let person: ID<Person> = try context.id()
    let (entry, warnings) = try context.write { context in
      let entry = try PeopleList.entry(of: person, context)
      guard let account = entry.account else { throw Refusal.notFound }
      let warnings = try server().installation.warnings(
        ofWithdrawing: roles(account), from: person, in: context)
      return (entry, warnings)
    }
    let named = arguments.merging(["name": entry.called]) { _, name in name }
    return """
      <p>\(context.text(Text(about, named)))</p>\
      \(each: warnings, { "<p>\(context.text($0))</p>" })
      """
  }

  func suspend(_ context: Context) throws -> Redirect {
    let person: ID<Person> = try context.id()
    var administrator = try administrator(context)
    try administrator.suspend(
      person, telling: server().installation, on: context)
    return Redirect(to: path(of: person, .suspended), administrator.effects)
  }

  func makeLink(_ context: Context) throws -> Response {
    let notices = server().accountNotices
    return try showLink(context, "person.link.title", "person.link.shown") {
      try $0.makePasswordLink(for: $1, telling: notices, on: $2)
    }
  }

  /// Creates a link for a person who has lost the second factor and proved their identity at the
  /// clinic.
  func makeSecondFactorLink(_ context: Context) throws -> Response {
    let notices = server().accountNotices
    return try showLink(context, "person.second-factor-link.title", "person.link.shown") {
      try $0.makePasswordLink(for: $1, endingSecondFactor: true, telling: notices, on: $2)
    }
  }

  func withdrawLink(_ context: Context) throws -> Response {
    try change(context, .withdrawn) { try $0.withdrawLink(of: $1, on: $2) }
  }

  func invite(_ context: Context) throws -> Response {
    try showLink(context, "person.invite.title", "person.invite.shown") {
      try $0.makeInvitation(for: $1, on: $2)
    }
  }

  /// Shows the link in the response itself, so that it appears in no URL, log or stored response.
  private func showLink(
    _ context: Context, _ title: Text, _ about: Text,
    _ make: (inout Administrator, ID<Person>, Work) throws -> Path
  ) throws -> Response {
    let person: ID<Person> = try context.id()
    if PersonViews.isOwn(person, context) {
      return PersonViews.own(person, status: 409, context)
    }
    do {
      let (link, entry, effects) = try context.write { context in
        var administrator = try administrator(context)
        return (
          try make(&administrator, person, context),
          try PeopleList.entry(of: person, context), administrator.effects
        )
      }
      let page = Page(
        Text(title.key, ["name": entry.profile.displayName]),
        PersonViews.link("\(server().site.origin)\(link)", about, context),
        back: "people/\(person)", assets: [.copy])
      return Response.page(page).with(effects)
    } catch Refusal.conflict(let text) {
      return PersonViews.conflict(text, person, context)
    }
  }

  /// Runs the change and redirects to the person's page.
  private func change(
    _ context: Context, _ done: PeoplePages.Done,
    _ body: (inout Administrator, ID<Person>, Work) throws -> Void
  ) throws -> Response {
    let person: ID<Person> = try context.id()
    do {
      return try context.redirecting { context -> Redirect in
        var administrator = try administrator(context)
        try body(&administrator, person, context)
        return try next(after: administrator, person, done, context)
      }
    } catch Refusal.conflict(let text) {
      return PersonViews.conflict(text, person, context)
    }
  }

  /// Returns the page to show next. Administrators who change their own rights get a new session,
  /// because the change ended all others. If they are no longer administrators, they go to the home
  /// page.
  private func next(
    after administrator: Administrator, _ person: ID<Person>, _ done: PeoplePages.Done,
    _ context: Context
  ) throws -> Redirect {
    let visitor = try context.signedIn()
    var effects = administrator.effects
    if person == visitor.person {
      effects.add(try server().signIn(context.keys, for: context, on: context))
    }
    let roles = try Account.find(visitor.person, on: context)?.roles ?? []
    return Redirect(
      to: roles.contains(.administrator) ? path(of: person, done) : "/", effects)
  }

  private func administrator(_ context: Context) throws -> Administrator {
    Administrator(
      vault: server().vault, author: .person(try context.signedIn().person),
      now: context.now)
  }

  private func path(of person: ID<Person>, _ done: PeoplePages.Done) -> Path {
    Path("/admin/people/\(person)").query(["done": done.rawValue])
  }

  /// The role in the button or link, as it was when the page was shown.
  private func role(_ context: Context) throws -> Role {
    let request = context.request
    let sent = request.method == .post ? request.fields : request.query
    guard let role = Role(rawValue: sent["role"]), role != .patient else {
      throw Refusal.malformed
    }
    return role
  }
}

extension Administrator {
  /// The security events of the changes, as effects of a response.
  fileprivate var effects: Effects {
    var effects = Effects()
    effects.events = events
    return effects
  }
}
