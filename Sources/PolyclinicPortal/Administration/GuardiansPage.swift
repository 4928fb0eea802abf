import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Those who act for a person. The clinic can block them, and lets a parent read on with whose child
/// it has spoken.
struct GuardiansPage: RoutedPage {
  static let address: Address<ID<Person>> = "/admin/people/{id}/guardians"
  static let access = Access.role(.administrator)
  static let allowing: Address<ID<Person>> = "/admin/people/{id}/guardians/allow"
  static let agreeing: Address<ID<Person>> = "/admin/people/{id}/guardians/agree"
  static let limiting: Address<ID<Person>> = "/admin/people/{id}/guardians/limit"

  static var buttons: [Route] {
    [
      .post(allowing.pattern, access: access) { context in
        try context.redirecting { context in
          let blocked = try guardianship(in: context) { $0.state == .blocked }
          return try change(blocked, to: .active, because: .proved, context)
        }
      },
      .post(agreeing.pattern, access: access) { try agree(to: .read, $0) },
      .post(limiting.pattern, access: access) { try agree(to: .book, $0) },
    ]
  }

  private let person: ID<Person>
  private let name: String
  private let guardians: [(guardianship: Guardianship, name: String)]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let person = try Self.address.value(in: context)
    self.person = person
    (name, guardians) = try context.write { context in
      let all = try Guardianship.all(for: person, context.server.vault, on: context)
      let works = try context.of(
        [person] + all.map(\.guardian), for: .administration, reading: "access.viewed.guardians")
      guard works[person] != nil else { throw Refusal.notFound }
      let people = try context.portal.people.listed(works)
      return (people[person]?.name ?? "", all.map { ($0, people[$0.guardian]?.name ?? "") })
    }
  }

  var page: Page {
    let list: HTML =
      guardians.isEmpty
      ? context.emptyState(.people, hint: "guardians.of.none")
      : "\(rows: guardians, { guardianship, name in row(guardianship, name) })"
    return Page(
      Text("guardians.of.named", ["name": name]),
      "<p class=\"lead\">\(context.text("guardians.of.about"))</p>\(list)",
      back: PersonPage.path(person))
  }

  private func row(_ guardianship: Guardianship, _ name: String) -> HTML {
    let isBlocked = guardianship.state == .blocked
    let scope = guardianship.scope(at: context.now)
    let state =
      scope.map { Text("scope.\($0.rawValue)") }
      ?? Text("guardians.reason.\(guardianship.reason.rawValue)")
    let guardian = guardianship.guardian.description
    let fields: KeyValuePairs<StaticString, String> = ["guardian": guardian]
    let block =
      isBlocked
      ? context.button(
        "guardians.block.again", posts: Self.allowing.path(person), with: fields,
        style: [.secondary, .small], of: name)
      : context.button(
        "guardians.block",
        to: BlockGuardian.path(person).query(Fields([BlockGuardian.field: guardian])),
        style: [.danger, .secondary, .small], of: name)
    let reads = guardianship.agreed > .book
    let agree = context.button(
      reads ? "guardians.reads-on.no" : "guardians.reads-on",
      posts: (reads ? Self.limiting : Self.agreeing).path(person), with: fields,
      style: [.secondary, .small], of: name)
    let isForReview = guardianship.isForReview(at: context.now)
    return .row(
      "<strong><bdi>\(name)</bdi></strong>",
      detail: "\(context.text(state.spoken(by: "account")))",
      actions: isForReview ? agree : nil, isBlocked || scope != nil ? block : nil)
  }

  /// Lets the parent whom the form names read on after the review, as the child agrees, or only
  /// book.
  ///
  /// Throws ``Refusal/notFound`` for any other guardian, and long before the review.
  private static func agree(to scope: GuardianScope, _ context: Context) throws -> Response {
    let (person, server) = (try agreeing.value(in: context), context.server)
    return try context.redirecting { context in
      let found = try guardianship(in: context) { $0.isForReview(at: context.now) }
      let changed = found.agreeing(
        to: scope, by: try context.signedIn().person, at: context.now)
      try changed.save(server.vault, on: context)
      let change = scope == .book ? GuardianChange.limited : .agreed
      try context.recordChange(
        Text("access.guardian.clinic-\(change.rawValue)"), of: [person], for: .administration)
      try server.accountNotices.tell(change, changed, in: context.formats.timeZone, context)
      return Redirect(to: path(person))
        .logging(SecurityEvent(.guardianChanged, of: [found.guardian, person]))
    }
  }

  /// Returns the guardianship that the request names. Throws ``Refusal/notFound`` for none, and for
  /// one that does not match.
  ///
  /// One that the person or the guardian has ended thus never begins again without them.
  fileprivate static func guardianship(
    in context: Context, where matches: (Guardianship) -> Bool
  ) throws -> Guardianship {
    let (person, request) = (try address.value(in: context), context.request)
    let sent = request.method == .get ? request.query : request.fields
    guard let guardian = ID<Person>(sent[BlockGuardian.field]),
      let found = try Guardianship.find(
        of: guardian, for: person, context.server.vault, on: context),
      matches(found)
    else { throw Refusal.notFound }
    return found
  }

  /// Blocks a guardianship, or allows a blocked one again.
  fileprivate static func change(
    _ found: Guardianship, to state: Guardianship.State, because reason: Guardianship.Reason,
    _ context: Context
  ) throws -> Redirect {
    let (person, guardian, server) = (found.person, found.guardian, context.server)
    let changed = found.changed(
      to: state, because: reason, by: try context.signedIn().person, at: context.now)
    try changed.save(server.vault, on: context)
    if state == .blocked {
      try GuardianInvitation.forget(for: person, by: guardian, on: context)
      try GuardianInvitation.forgetUnused(for: person, on: context)
    }
    let name = try context.name(ofGuardianshipWith: guardian) ?? ""
    let change = state == .blocked ? "blocked" : "allowed"
    try context.recordChange(
      Text("access.guardian.\(change)", ["name": name]), of: [person], for: .administration)
    try server.accountNotices.tell(
      state == .blocked ? .blocked : .began, changed, in: context.formats.timeZone, context)
    let kind: SecurityEvent.Kind = state == .blocked ? .guardianEnded : .guardianBegan
    return Redirect(to: path(person)).logging(SecurityEvent(kind, of: [guardian, person]))
  }
}
/// The question before the clinic ends the access of a guardian.
struct BlockGuardian: RoutedForm {
  static let address: Address<ID<Person>> = "/admin/people/{id}/guardians/block"
  static let access = GuardiansPage.access
  static let title: Text = "guardians.block.title"
  static let submit: Text = "guardians.block"
  static let cancel = GuardiansPage.address.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).keeping(field) }
  /// The field with the number of the guardian.
  static let field = "guardian"

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the guardianship. Throws ``Refusal/notFound`` for one that does not hold.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try GuardiansPage.guardianship(in: context) {
      $0.scope(at: context.now) != nil
    }
  }

  /// The names, after an entry in the access log of both.
  var about: HTML? {
    get throws {
      let (person, guardian) = (guardianship.person, guardianship.guardian)
      let people = try context.write { context in
        try context.portal.people.listed(
          context.of(
            [person, guardian], for: .administration, reading: "access.viewed.guardians"))
      }
      let question = Text(
        "guardians.block.question",
        ["guardian": people[guardian]?.name ?? "", "name": people[person]?.name ?? ""])
      return """
        <p>\(context.text(question))</p>\
        <input type="hidden" name="\(Self.field)" value="\(guardian.description)">
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    try GuardiansPage.change(guardianship, to: .blocked, because: .blocked, context)
  }
}
