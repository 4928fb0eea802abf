import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Those who act for a person. The clinic can block them, and lets a parent read on with whose child
/// it has spoken.
struct GuardiansPage: RoutedPage {
  static let address: Address<ID<Person>> = "/admin/people/{id}/guardians"
  static let access = Access.role(.administrator)
  static let blocking: Address<ID<Person>> = "/admin/people/{id}/guardians/block"
  static let allowing: Address<ID<Person>> = "/admin/people/{id}/guardians/allow"
  static let agreeing: Address<ID<Person>> = "/admin/people/{id}/guardians/agree"
  static let limiting: Address<ID<Person>> = "/admin/people/{id}/guardians/limit"

  static var buttons: [Route] {
    [
      .post(blocking.pattern, access: access) {
        try change(to: .blocked, because: .blocked, $0)
      },
      .post(allowing.pattern, access: access) { try change(to: .active, because: .proved, $0) },
      .post(agreeing.pattern, access: access) { try agree(to: .read, $0) },
      .post(limiting.pattern, access: access) { try agree(to: .book, $0) },
    ]
  }

  private let person: ID<Person>
  private let guardians: [(guardianship: Guardianship, name: String)]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let person = try Self.address.value(in: context)
    self.person = person
    guardians = try context.write { context in
      let all = try Guardianship.all(for: person, context.server.vault, on: context)
      let works = try context.of(
        [person] + all.map(\.guardian), for: .administration, reading: "access.viewed.guardians")
      guard works[person] != nil else { throw Refusal.notFound }
      return try all.map { guardianship in
        let name = try works[guardianship.guardian].flatMap {
          try context.portal.people.name(in: $0)
        }
        return (guardianship, name ?? "")
      }
    }
  }

  var page: Page {
    let list: HTML =
      guardians.isEmpty
      ? context.emptyState(.people, hint: "guardians.of.none")
      : "\(rows: guardians, { guardianship, name in row(guardianship, name) })"
    return Page(
      "guardians.of",
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
    let block = context.button(
      isBlocked ? "guardians.block.again" : "guardians.block",
      posts: (isBlocked ? Self.allowing : Self.blocking).path(person), with: fields,
      style: isBlocked ? [.secondary, .small] : [.danger, .secondary, .small], of: name)
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
      guard let guardian = ID<Person>(context.request.fields["guardian"]),
        let found = try Guardianship.find(of: guardian, for: person, server.vault, on: context),
        found.isForReview(at: context.now)
      else { throw Refusal.notFound }
      let changed = found.agreeing(
        to: scope, by: try context.signedIn().person, at: context.now)
      try changed.save(server.vault, on: context)
      let change = scope == .book ? GuardianChange.limited : .agreed
      try context.recordChange(
        Text("access.guardian.clinic-\(change.rawValue)"), of: [person], for: .administration)
      try server.accountNotices.tell(change, changed, in: context.formats.timeZone, context)
      return Redirect(to: path(person))
        .logging(SecurityEvent(.guardianChanged, of: [guardian, person]))
    }
  }

  /// Blocks the guardianship that the form names, or allows a blocked one again.
  ///
  /// Throws ``Refusal/notFound`` for any other. One that the person or the guardian has ended thus
  /// never begins again without them.
  private static func change(
    to state: Guardianship.State, because reason: Guardianship.Reason, _ context: Context
  ) throws -> Response {
    let (person, server) = (try blocking.value(in: context), context.server)
    let vault = server.vault
    return try context.redirecting { context in
      guard let guardian = ID<Person>(context.request.fields["guardian"]),
        let found = try Guardianship.find(of: guardian, for: person, vault, on: context),
        state == .blocked ? found.scope(at: context.now) != nil : found.state == .blocked
      else { throw Refusal.notFound }
      let changed = found.changed(
        to: state, because: reason, by: try context.signedIn().person, at: context.now)
      try changed.save(vault, on: context)
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
}
