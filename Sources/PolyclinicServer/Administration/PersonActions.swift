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

  static func take(_ context: Context) throws -> Response {
    let role = try role(context)
    let installation = try context.front().installation
    return try change(context, .taken) {
      try $0.take(role, from: $1, telling: installation, on: $2)
    }
  }

  static func reinstate(_ context: Context) throws -> Response {
    try change(context, .reinstated) { try $0.reinstate($1, on: $2) }
  }

  static func suspendQuestion(_ context: Context) throws -> HTML {
    let person: ID<Person> = try context.id()
    let (entry, warnings) = try context.database.write { connection in
      let entry = try PeopleList.entry(of: person, context, on: connection)
      guard let account = entry.account else { throw Refusal.notFound }
      let warnings = try context.front().installation.warnings(
        ofWithdrawing: account.roles, from: person, at: context.now, on: connection)
      return (entry, warnings)
    }
    return """
      <p>\(context.text("person.suspend.question", ["name": entry.profile.displayName]))</p>\
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
    try showLink(context, "person.link.title", "person.link.shown") {
      try $0.makePasswordLink(for: $1, on: $2)
    }
  }

  static func invite(_ context: Context) throws -> Response {
    do {
      return try showLink(context, "person.invite.title", "person.invite.shown") {
        try $0.makeInvitation(for: $1, on: $2)
      }
    } catch Refusal.conflict(let text) {
      return PersonViews.conflict(text, try context.id(), context)
    }
  }

  /// Shows the link in the answer itself: it stands in no address, no log and no list of answers.
  private static func showLink(
    _ context: Context, _ title: Text, _ about: Text,
    _ make: (Administrator, ID<Person>, Connection) throws -> Path
  ) throws -> Response {
    let person: ID<Person> = try context.id()
    let front = try context.front()
    let (link, entry) = try context.database.write { connection in
      (
        try make(administrator(context), person, connection),
        try PeopleList.entry(of: person, context, on: connection)
      )
    }
    return .page(
      Page(
        Text(title.key, ["name": entry.profile.displayName]),
        PersonViews.link(front.site.origin + link.description, about, context),
        back: "people/\(person)", scripts: ["copy.js"]))
  }

  /// Runs the change and leads back to the person. Who changes the own rights goes on in a new
  /// session, since the change ended all others.
  private static func change(
    _ context: Context, _ done: PeoplePages.Done,
    _ body: (Administrator, ID<Person>, Connection) throws -> Void
  ) throws -> Response {
    let person: ID<Person> = try context.id()
    let visitor = try context.signedIn()
    do {
      let roles = try context.database.write { connection in
        try body(administrator(context), person, connection)
        if person == visitor.person {
          try context.visit?.signIn(try context.keys, on: connection)
        }
        return try Account.find(visitor.person, on: connection)?.roles ?? []
      }
      return .redirect(to: roles.contains(.administrator) ? path(of: person, done) : "/")
    } catch Refusal.conflict(let text) {
      return PersonViews.conflict(text, person, context)
    }
  }

  private static func administrator(_ context: Context) throws -> Administrator {
    Administrator(
      vault: try context.front().vault, author: .person(try context.signedIn().person),
      now: context.now)
  }

  private static func path(of person: ID<Person>, _ done: PeoplePages.Done) -> Path {
    Path("/admin/people/\(person)").query(["done": done.rawValue])
  }

  /// The role that the button is about: as it was on the page, whatever has become of it since.
  private static func role(_ context: Context) throws -> Role {
    guard let role = Role(rawValue: context.request.fields["role"]), role != .patient else {
      throw Refusal.malformed
    }
    return role
  }
}
