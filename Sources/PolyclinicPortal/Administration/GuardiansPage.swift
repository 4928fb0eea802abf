import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Those who act for a person, and those for whom the person acts. The clinic can block a guardian,
/// and lets a parent read on with whose child it has spoken.
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
          try allow(guardianship(in: context) { $0.state == .blocked }, context)
        }
      },
      .post(agreeing.pattern, access: access) { try agree(to: .read, $0) },
      .post(limiting.pattern, access: access) { try agree(to: .book, $0) },
    ]
  }

  private let person: ID<Person>
  private let name: String
  private let guardians: [(guardianship: Guardianship, name: String)]
  private let inCare: [(guardianship: Guardianship, name: String)]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let person = try Self.address.value(in: context)
    self.person = person
    (name, guardians, inCare) = try context.write { context in
      let all = try Guardianship.all(for: person, context.server.vault, on: context)
      let own = try Guardianship.all(of: person, context.server.vault, on: context)
      let works = try context.of(
        [person] + all.map(\.guardian) + own.map(\.person), for: .administration,
        reading: "access.viewed.guardians")
      guard works[person] != nil else { throw Refusal.notFound }
      let people = try context.portal.people.listed(works)
      func named(
        _ list: [Guardianship], _ other: (Guardianship) -> ID<Person>
      ) -> [(guardianship: Guardianship, name: String)] {
        // In an order that no decision changes.
        list.sorted { ($0.startsAt, other($0)) < ($1.startsAt, other($1)) }
          .map { ($0, people[other($0)]?.name ?? "") }
      }
      return (people[person]?.name ?? "", named(all, \.guardian), named(own, \.person))
    }
  }

  var page: Page {
    let list: HTML =
      guardians.isEmpty
      ? context.emptyState(.people, hint: "guardians.of.none")
      : "\(rows: guardians, { guardianship, name in row(guardianship, name) })"
    let isReviewed = guardians.contains { $0.guardianship.isForReview(at: context.now) }
    let readsOn: HTML? =
      isReviewed ? "<p class=\"hint\">\(context.text("guardians.of.reads-on"))</p>" : nil
    return Page(
      Text("guardians.of.named", ["name": name]),
      """
      <p class="lead">\(context.text("guardians.of.about"))</p>\(list)\(readsOn)\(actingFor)
      """,
      back: PersonPage.path(person))
  }

  /// Those for whom the person acts, with the way to their guardians; nil if there are none.
  private var actingFor: HTML? {
    if inCare.isEmpty { return nil }
    return """
      <h2>\(context.text(Text("guardians.of.acts-for", ["name": name])))</h2>\
      \(rows: inCare, inCareRow)
      """
  }

  private func inCareRow(_ guardianship: Guardianship, _ name: String) -> HTML {
    .row(
      to: Self.path(guardianship.person), "<bdi>\(name)</bdi>",
      detail: "\(context.text(state(of: guardianship)))")
  }

  private func state(of guardianship: Guardianship) -> Text {
    let state =
      guardianship.scope(at: context.now).map { Text("scope.\($0.rawValue)") }
      ?? Text("guardians.reason.\(guardianship.reason.rawValue)")
    return state.spoken(by: "account")
  }

  private func row(_ guardianship: Guardianship, _ name: String) -> HTML {
    let isBlocked = guardianship.state == .blocked
    let scope = guardianship.scope(at: context.now)
    let guardian = guardianship.guardian.description
    let fields: KeyValuePairs<StaticString, String> = ["guardian": guardian]
    let block =
      isBlocked
      ? context.button(
        "guardians.block.again", posts: Self.allowing.path(person), with: fields,
        style: [.secondary, .small], of: name)
      : context.button(
        "guardians.block",
        to: BlockGuardian.path(person).query(Fields([Context.guardianField: guardian])),
        style: [.danger, .secondary, .small], of: name)
    let reads = guardianship.agreed > .book
    let agree = context.button(
      reads ? "guardians.reads-on.no" : "guardians.reads-on",
      posts: (reads ? Self.limiting : Self.agreeing).path(person), with: fields,
      style: [.secondary, .small], of: name)
    let isForReview = guardianship.isForReview(at: context.now)
    return .row(
      "<strong><bdi>\(name)</bdi></strong>",
      detail: "\(context.text(state(of: guardianship)))",
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
      let administrator = try context.signedIn().person
      let changed = found.agreeing(to: scope, by: administrator, at: context.now)
      try changed.save(server.vault, on: context)
      try AuditEntry(
        scope == .book ? .limitGuardian : .agreeGuardian, by: .person(administrator),
        at: context.now, subject: person, guardian: found.guardian
      ).insert(on: context)
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
    let found = try context.namedGuardianship(for: address.value(in: context))
    guard let found, matches(found) else { throw Refusal.notFound }
    return found
  }

  /// Allows a blocked guardianship again. That of an adult stays ended, because the adult decides
  /// whether to let the guardian in again.
  private static func allow(_ blocked: Guardianship, _ context: Context) throws -> Redirect {
    let (person, guardian, server) = (blocked.person, blocked.guardian, context.server)
    let administrator = try context.signedIn().person
    let isParent = blocked.basis == .parentalResponsibility
    let changed = blocked.changed(
      to: isParent ? .active : .ended, because: isParent ? .proved : .blocked, by: administrator,
      at: context.now)
    try changed.save(server.vault, on: context)
    let name = try context.name(ofGuardianshipWith: guardian) ?? ""
    try context.recordChange(
      Text("access.guardian.allowed", ["name": name]), of: [person], for: .administration)
    try AuditEntry(
      .allowGuardian, by: .person(administrator), at: context.now, subject: person,
      guardian: guardian
    ).insert(on: context)
    if isParent {
      try server.accountNotices.tell(.began, changed, in: context.formats.timeZone, context)
    }
    return Redirect(to: path(person))
      .logging(SecurityEvent(isParent ? .guardianBegan : .guardianChanged, of: [guardian, person]))
  }
}

extension Context {
  /// The field of a request that names one of several guardians of a person.
  static var guardianField: String { "guardian" }

  /// Returns the right of the guardian whom the request names to act for a person; nil for none.
  func namedGuardianship(for person: ID<Person>) throws -> Guardianship? {
    try ID<Person>(request.sentFields[Self.guardianField]).flatMap {
      try Guardianship.find(of: $0, for: person, server.vault, on: self)
    }
  }

  /// Returns the name of the other person of a guardianship or of an invitation to one, which both
  /// may know; nil if the person was erased.
  func name(ofGuardianshipWith other: ID<Person>) throws -> String? {
    try Profile.unloggedNames(of: [other], server.vault, on: self).first?.name
  }

  /// Returns a paragraph in bold.
  func strong(_ words: Text) -> HTML { "<p><strong>\(text(words))</strong></p>" }

  /// Returns the hidden field that names the guardian when a question is answered.
  func guardianInput(_ guardianship: Guardianship) -> HTML {
    """
    <input type="hidden" name="\(Self.guardianField)" value="\(guardianship.guardian.description)">
    """
  }

  /// Returns those, besides the visitor, who have their right by a link of a guardian. They lose it
  /// with a guardian who should not have had it, and keep it when the clinic blocks the guardian.
  func invited(by guardianship: Guardianship) throws -> [Guardianship] {
    let all = try Guardianship.all(for: guardianship.person, server.vault, on: self)
    let visitor = try signedIn().person
    return guardianship.invited(among: all, at: now).filter { $0.guardian != visitor }
  }

  /// Ends a guardianship for the clinic at once, with the links that the guardian has made for the
  /// person, and with all unused links to the person's data, because the guardian may hold one.
  ///
  /// Adds an entry to the audit log, notifies those whom it concerns, and returns the security event.
  /// The caller has added the entry to the access log.
  func endForClinic(
    _ guardianship: Guardianship, as state: Guardianship.State, recording action: AuditEntry.Action
  ) throws -> SecurityEvent {
    let (person, guardian) = (guardianship.person, guardianship.guardian)
    let staff = try signedIn().person
    let ended = guardianship.changed(to: state, because: .blocked, by: staff, at: now)
    try ended.save(server.vault, on: self)
    try GuardianInvitation.forget(for: person, by: guardian, on: self)
    try GuardianInvitation.forgetUnused(for: person, on: self)
    try AuditEntry(action, by: .person(staff), at: now, subject: person, guardian: guardian)
      .insert(on: self)
    try server.accountNotices.tell(.blocked, ended, in: formats.timeZone, self)
    return SecurityEvent(.guardianEnded, of: [guardian, person])
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
  static var route: Route { Route(Self.self).keeping(Context.guardianField) }

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the guardianship. Throws ``Refusal/notFound`` for one that does not hold.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try GuardiansPage.guardianship(in: context) {
      $0.scope(at: context.now) != nil
    }
  }

  /// The names, also of those who stay by an invitation of the guardian, after an entry in the access
  /// log of each.
  var about: HTML? {
    get throws {
      let (person, guardian) = (guardianship.person, guardianship.guardian)
      let invited = try context.invited(by: guardianship).map(\.guardian)
      let people = try context.write { context in
        try context.portal.people.listed(
          context.of(
            [person, guardian] + invited, for: .administration,
            reading: "access.viewed.guardians"))
      }
      let names = invited.compactMap { people[$0]?.name }.joined(separator: ", ")
      let stay = Text("guardians.block.stay", ["names": names])
      let others: HTML? = invited.isEmpty ? nil : context.strong(stay)
      let question = Text(
        "guardians.block.question",
        ["guardian": people[guardian]?.name ?? "", "name": people[person]?.name ?? ""])
      return """
        <p>\(context.text(question))</p>\(others)\(context.guardianInput(guardianship))
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let person = guardianship.person
    let name = try context.name(ofGuardianshipWith: guardianship.guardian) ?? ""
    try context.recordChange(
      Text("access.guardian.blocked", ["name": name]), of: [person], for: .administration)
    let event = try context.endForClinic(
      guardianship, as: .blocked, recording: .blockGuardian)
    return Redirect(to: GuardiansPage.path(person)).logging(event)
  }
}
