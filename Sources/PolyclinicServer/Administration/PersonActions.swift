import PolyclinicCore

/// What an administrator does to an account: each is one change in one transaction.
enum PersonActions {
  static func approve(_ context: Context) throws -> Response {
    let role = try role(context)
    return try change(context, .approved) {
      try $0.approve(role, for: $1, on: $2)
      try context.portal.notify($1, Notice(.rights, "told.approved", leadingTo: "/"), on: $2)
    }
  }

  static func decline(_ context: Context) throws -> Response {
    let role = try role(context)
    return try change(context, .declined) {
      try $0.decline(role, for: $1, on: $2)
      try context.portal.notify($1, Notice(.rights, "told.declined", leadingTo: "/account"), on: $2)
    }
  }

  static func give(_ context: Context) throws -> Response {
    let role = try role(context)
    return try change(context, .given) { try $0.give(role, to: $1, on: $2) }
  }

  static func takeQuestion(_ context: Context) throws -> HTML {
    let role = try role(context)
    let named = ["role": context.text(Text("role.\(role.rawValue)"))]
    return """
      \(try question(context, "person.take.question", named) { _ in [role] })\
      <input type="hidden" name="role" value="\(role.rawValue)">
      """
  }

  static func take(_ context: Context, _ connection: Connection) throws -> Path {
    let person: ID<Person> = try context.id()
    try administrator(context).take(
      role(context), from: person, telling: context.front().installation, on: connection)
    return try wayOn(from: person, .taken, context, on: connection)
  }

  static func reinstate(_ context: Context) throws -> Response {
    try change(context, .reinstated) { try $0.reinstate($1, on: $2) }
  }

  static func suspendQuestion(_ context: Context) throws -> HTML {
    try question(context, "person.suspend.question") { $0.roles }
  }

  /// What is asked before somebody loses roles, with what follows from it.
  private static func question(
    _ context: Context, _ about: String, _ arguments: [String: String] = [:],
    losing roles: (Account) -> Set<Role>
  ) throws -> HTML {
    let person: ID<Person> = try context.id()
    let (entry, warnings) = try context.database.write { connection in
      let entry = try PeopleList.entry(of: person, context, on: connection)
      guard let account = entry.account else { throw Refusal.notFound }
      let warnings = try context.front().installation.warnings(
        ofWithdrawing: roles(account), from: person, at: context.now, on: connection)
      return (entry, warnings)
    }
    let named = arguments.merging(["name": entry.called]) { _, name in name }
    return """
      <p>\(context.text(Text(about, named)))</p>\
      \(each: warnings, { "<p>\(context.text($0))</p>" })
      """
  }

  static func suspend(_ context: Context, _ connection: Connection) throws -> Path {
    let person: ID<Person> = try context.id()
    try administrator(context).suspend(
      person, telling: context.front().installation, on: connection)
    return path(of: person, .suspended)
  }

  static func makeLink(_ context: Context) throws -> Response {
    let news = try context.front().accountNews
    return try showLink(context, "person.link.title", "person.link.shown") {
      try $0.makePasswordLink(for: $1, telling: news, on: $2)
    }
  }

  /// For somebody who has lost the second factor, and has proved at the clinic who it is.
  static func makeSecondFactorLink(_ context: Context) throws -> Response {
    let news = try context.front().accountNews
    return try showLink(context, "person.second-factor-link.title", "person.link.shown") {
      try $0.makePasswordLink(for: $1, endingSecondFactor: true, telling: news, on: $2)
    }
  }

  static func invite(_ context: Context) throws -> Response {
    try showLink(context, "person.invite.title", "person.invite.shown") {
      try $0.makeInvitation(for: $1, on: $2)
    }
  }

  /// Shows the link in the answer itself: it stands in no address, no log and no list of answers.
  private static func showLink(
    _ context: Context, _ title: Text, _ about: Text,
    _ make: (Administrator, ID<Person>, Connection) throws -> Path
  ) throws -> Response {
    let person: ID<Person> = try context.id()
    let front = try context.front()
    do {
      let (link, entry) = try context.database.write { connection in
        (
          try make(administrator(context), person, connection),
          try PeopleList.entry(of: person, context, on: connection)
        )
      }
      return .page(
        Page(
          Text(title.key, ["name": entry.profile.displayName]),
          PersonViews.link("\(front.site.origin)\(link)", about, context),
          back: "people/\(person)", scripts: ["copy.js"]))
    } catch Refusal.conflict(let text) {
      return PersonViews.conflict(text, person, context)
    }
  }

  /// Runs the change and leads back to the person.
  private static func change(
    _ context: Context, _ done: PeoplePages.Done,
    _ body: (Administrator, ID<Person>, Connection) throws -> Void
  ) throws -> Response {
    let person: ID<Person> = try context.id()
    do {
      return .redirect(
        to: try context.database.write { connection in
          try body(administrator(context), person, connection)
          return try wayOn(from: person, done, context, on: connection)
        })
    } catch Refusal.conflict(let text) {
      return PersonViews.conflict(text, person, context)
    }
  }

  /// Where it goes on: those who have changed their own rights go on in a new session, since the
  /// change ended all others, and elsewhere when their rights reach no further.
  private static func wayOn(
    from person: ID<Person>, _ done: PeoplePages.Done, _ context: Context,
    on connection: Connection
  ) throws -> Path {
    let visitor = try context.signedIn()
    if person == visitor.person {
      try context.visit?.signIn(try context.keys, on: connection)
    }
    let roles = try Account.find(visitor.person, on: connection)?.roles ?? []
    return roles.contains(.administrator) ? path(of: person, done) : "/"
  }

  private static func administrator(_ context: Context) throws -> Administrator {
    Administrator(
      vault: try context.front().vault, author: .person(try context.signedIn().person),
      now: context.now, visit: context.visit)
  }

  private static func path(of person: ID<Person>, _ done: PeoplePages.Done) -> Path {
    Path("/admin/people/\(person)").query(["done": done.rawValue])
  }

  /// The role that the button or the link is about: as it was on the page, whatever has become of it
  /// since.
  private static func role(_ context: Context) throws -> Role {
    let request = context.request
    let sent = request.method == .post ? request.fields : request.query
    guard let role = Role(rawValue: sent["role"]), role != .patient else {
      throw Refusal.malformed
    }
    return role
  }
}
