import PolyclinicCore
import PolyclinicWeb

/// The buttons of a person's page. Each makes one change in one transaction.
extension PersonPage {
  static let approval: Address<ID<Person>> = "/admin/people/{id}/approve"
  static let refusal: Address<ID<Person>> = "/admin/people/{id}/decline"
  static let reinstatement: Address<ID<Person>> = "/admin/people/{id}/reinstate"
  static let link: Address<ID<Person>> = "/admin/people/{id}/link"
  static let withdrawal: Address<ID<Person>> = "/admin/people/{id}/link/withdraw"
  static let secondFactorLink: Address<ID<Person>> = "/admin/people/{id}/second-factor-link"
  static let invitation: Address<ID<Person>> = "/admin/people/{id}/invite"

  static var buttons: [Route] {
    [
      .post(approval.pattern, access: access, approve),
      .post(refusal.pattern, access: access, decline),
      .post(reinstatement.pattern, access: access) { context in
        try change(context, .reinstated) {
          try $0.administrator.reinstate($0.person, on: $0.context)
        }
      },
      .post(link.pattern, access: access) { context in
        try showLink(context, "person.link.title", "person.link.shown") {
          try $0.makePasswordLink(endingSecondFactor: false)
        }
      },
      // For a person who has lost the second factor and proved their identity at the clinic.
      .post(secondFactorLink.pattern, access: access) { context in
        try showLink(context, "person.second-factor-link.title", "person.link.shown") {
          try $0.makePasswordLink(endingSecondFactor: true)
        }
      },
      .post(withdrawal.pattern, access: access) { context in
        try change(context, .withdrawn) {
          try $0.administrator.withdrawLink(of: $0.person, on: $0.context)
        }
      },
      .post(invitation.pattern, access: access) { context in
        try showLink(context, "person.invite.title", "person.invite.shown") {
          try $0.administrator.makeInvitation(for: $0.person, on: $0.context)
        }
      },
    ]
  }

  private static func approve(_ context: Context) throws -> Response {
    let role = try Role(sentIn: context.request)
    return try change(context, .approved) {
      try $0.administrator.approve(role, for: $0.person, on: $0.context)
      let notice = Notice(.rights, "told.approved", leadingTo: HomePage.path)
      try context.portal.notify($0.person, notice, in: $0.context)
    }
  }

  private static func decline(_ context: Context) throws -> Response {
    let role = try Role(sentIn: context.request)
    return try change(context, .declined) {
      try $0.administrator.decline(role, for: $0.person, on: $0.context)
      let notice = Notice(.rights, "told.declined", leadingTo: "/account")
      try context.portal.notify($0.person, notice, in: $0.context)
    }
  }

  /// Makes the change and redirects to the person's page.
  private static func change(
    _ context: Context, _ done: Done, _ body: (inout AccountChange) throws -> Void
  ) throws -> Response {
    let person = try address.value(in: context)
    do {
      return try context.redirecting { context -> Redirect in
        var change = try AccountChange(context)
        try body(&change)
        return try change.next(done)
      }
    } catch Refusal.conflict(let text) {
      return .page(unchanged(person, because: text, context), status: 409)
    }
  }

  /// Shows a one-time link in the response itself, so that it appears in no URL, log or stored
  /// response.
  private static func showLink(
    _ context: Context, _ title: Text, _ about: Text,
    _ make: (inout AccountChange) throws -> Path
  ) throws -> Response {
    let person = try address.value(in: context)
    if let own = own(person, context) { return .page(own, status: 409) }
    do {
      let (link, entry, effects) = try context.write { context in
        var change = try AccountChange(context)
        return (try make(&change), try PeopleList.entry(of: person, context), change.effects)
      }
      let lifetime = Int(OneTimeLink.lifetime.count / 3_600)
      let page = Page(
        Text(title.key, ["name": entry.profile.displayName]),
        """
        <section class="panel"><p>\(context.text(about, count: lifetime))</p>\
        <output class="secret" id="link" dir="ltr">\("\(context.portal.origin)\(link)")</output>\
        \(actions: context.copyButton("person.link.copy", of: "link", copied: "person.link.copied"))\
        </section>
        """,
        back: path(person), assets: [.copy])
      return Response.page(page).with(effects)
    } catch Refusal.conflict(let text) {
      return .page(unchanged(person, because: text, context), status: 409)
    }
  }
}

/// The question before a person becomes an administrator. The person's page gives the other roles
/// at once.
struct RoleGrant: RoutedForm {
  static let address: Address<ID<Person>> = "/admin/people/{id}/give"
  static let access = Access.role(.administrator)
  static let title: Text = "person.give.title"
  static let submit: Text = "person.role.give"
  static let cancel = PersonPage.address.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).keeping("role") }

  private let role: Role
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    role = try Role(sentIn: context.request)
  }

  var about: HTML? {
    get throws {
      let kind = role == .administrator ? "administrator" : "other"
      let text = Text("person.give.question.\(kind)", role.named(context))
      return "\(try context.rightsQuestion(text) { _ in [] })\(role.hiddenField)"
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    var change = try AccountChange(context)
    try change.administrator.give(role, to: change.person, on: context)
    return try change.next(.given)
  }
}

/// The question before a person loses a role.
struct RoleRemoval: RoutedForm {
  static let address: Address<ID<Person>> = "/admin/people/{id}/take"
  static let access = Access.role(.administrator)
  static let title: Text = "person.take.title"
  static let submit: Text = "person.take.yes"
  static let cancel = PersonPage.address.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).keeping("role") }

  private let role: Role
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    role = try Role(sentIn: context.request)
  }

  var about: HTML? {
    get throws {
      let text = Text("person.take.question", role.named(context))
      return "\(try context.rightsQuestion(text) { _ in [role] })\(role.hiddenField)"
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    var change = try AccountChange(context)
    try change.administrator.take(
      role, from: change.person, telling: context.server.installation, on: context)
    return try change.next(.taken)
  }
}

/// The question before an account is suspended.
struct Suspension: RoutedForm {
  static let address: Address<ID<Person>> = "/admin/people/{id}/suspend"
  static let access = Access.role(.administrator)
  static let title: Text = "person.suspend.title"
  static let submit: Text = "person.suspend.yes"
  static let cancel = PersonPage.address.pattern
  static let isQuestion = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws { try context.rightsQuestion("person.suspend.question") { $0.roles } }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    var change = try AccountChange(context)
    try change.administrator.suspend(
      change.person, telling: context.server.installation, on: context)
    return Redirect(to: change.path(after: .suspended), change.effects)
  }
}

extension Context {
  /// Returns the question before the person of the path loses roles, with the consequences.
  ///
  /// The access log gets an entry, so this is not called in the transaction that saves.
  fileprivate func rightsQuestion(
    _ text: Text, losing roles: (Account) -> Set<Role>
  ) throws -> HTML {
    let (name, warnings) = try write { context in
      let entry = try PeopleList.entry(of: context.id(), context)
      guard let account = entry.account else { throw Refusal.notFound }
      let warnings = try context.server.installation.warnings(
        ofWithdrawing: roles(account), from: entry.person, in: context)
      return (entry.called, warnings)
    }
    var question = text
    question.arguments["name"] = name
    return "<p>\(self.text(question))</p>\(each: warnings, { "<p>\(self.text($0))</p>" })"
  }
}

extension Role {
  /// The role in the button or link, as it was when the page was shown.
  fileprivate init(sentIn request: Request) throws {
    guard let role = Role(rawValue: request.sentFields["role"]), role != .patient
    else { throw Refusal.malformed }
    self = role
  }

  fileprivate func named(_ context: Context) -> [String: String] {
    ["role": context.text(Text("role.\(rawValue)"))]
  }

  fileprivate var hiddenField: HTML {
    "<input type=\"hidden\" name=\"role\" value=\"\(rawValue)\">"
  }
}

/// An administrator's change of the account of the path, in its transaction.
private struct AccountChange {
  let person: ID<Person>
  var administrator: Administrator
  let context: Context

  init(_ context: Context) throws {
    person = try context.id()
    administrator = try Administrator(context)
    self.context = context
  }

  mutating func makePasswordLink(endingSecondFactor: Bool) throws -> Path {
    try administrator.makePasswordLink(
      for: person, endingSecondFactor: endingSecondFactor,
      telling: context.server.accountNotices, on: context)
  }

  /// The security events of the changes, as effects of a response.
  var effects: Effects {
    var effects = Effects()
    effects.events = administrator.events
    return effects
  }

  /// Returns the page to show next. Administrators who change their own rights get a new session,
  /// because the change ended all others. If they are no longer administrators, they go to the home
  /// page.
  func next(_ done: PersonPage.Done) throws -> Redirect {
    let visitor = try context.signedIn()
    var effects = effects
    if person == visitor.person {
      effects.add(try context.server.signIn(from: context.request.client, in: context))
    }
    let roles = try Account.find(visitor.person, on: context)?.roles ?? []
    return Redirect(to: roles.contains(.administrator) ? path(after: done) : HomePage.path, effects)
  }

  func path(after done: PersonPage.Done) -> Path {
    PersonPage.path(person).query(["done": done.rawValue])
  }
}

extension Administrator {
  /// Creates the visitor as the author of changes.
  init(_ context: Context) throws {
    self.init(
      vault: context.server.vault, author: .person(try context.signedIn().person),
      now: context.now)
  }
}
