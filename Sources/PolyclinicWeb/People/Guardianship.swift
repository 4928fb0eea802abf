import PolyclinicCore
import PolyclinicVault

/// The right of a guardian to act for a person, as FHIR's `Consent` describes a grant: whom, who, on
/// what basis, how far, from when until when, and what was last decided, why and by whom.
///
/// Nothing follows from kinship: each is an act of somebody. A person has at most one with each
/// guardian, so that the last decision replaces an earlier one.
package struct Guardianship: Sendable {
  package let person: ID<Person>
  package let guardian: ID<Person>
  package var basis: Basis
  /// The rights as they were given; ``scope(at:)`` says which of them hold.
  package var scope: GuardianScope
  /// The rights from ``reviewAt`` on, to which the child or the clinic has agreed: at first, a
  /// parent then only books.
  package var agreed = GuardianScope.book
  package var startsAt: Instant
  /// The time from which a parent has no more rights than ``agreed``; nil for an adult's grant.
  package var reviewAt: Instant?
  /// The time at which it ends; nil for one that ends only by a decision.
  package var endsAt: Instant?
  package var state: State
  /// The last decision, which explains the state or ``agreed``.
  package var reason: Reason
  /// The person who decided; nil after that person was erased, and for an age that was reached.
  package var decidedBy: ID<Person>?
  package var decidedAt: Instant

  /// The most people for whom one person acts.
  package static let most = 20

  /// The legal basis.
  package enum Basis: String, Sendable {
    /// A parent or another person acts for a child whom the law lets them act for.
    case parentalResponsibility = "parental-responsibility"
    /// An adult has given access.
    case consent
  }

  package enum State: String, Sendable {
    case active, ended
    /// The clinic has ended it, and only the clinic allows it again.
    case blocked
  }

  /// The last decision.
  package enum Reason: String, Sendable {
    /// A guardian has entered a child.
    case entered
    /// An invitation was accepted.
    case accepted
    /// The reception has seen proof.
    case proved
    /// The person has changed the rights that they had given.
    case changed
    /// The child, or the clinic, agrees that a parent reads on.
    case confirmed
    /// The person has taken it back, or a child has taken back the agreement that a parent reads
    /// on.
    case withdrawn
    /// The guardian has given it up.
    case left
    /// The clinic has ended it.
    case blocked
    /// The child has reached the age.
    case age
  }

  fileprivate init(
    person: ID<Person>, guardian: ID<Person>, basis: Basis, scope: GuardianScope,
    startsAt: Instant, reviewAt: Instant?, endsAt: Instant?, state: State, reason: Reason,
    decidedBy: ID<Person>?, decidedAt: Instant
  ) {
    (self.person, self.guardian, self.basis, self.scope) = (person, guardian, basis, scope)
    (self.startsAt, self.reviewAt, self.endsAt) = (startsAt, reviewAt, endsAt)
    (self.state, self.reason) = (state, reason)
    (self.decidedBy, self.decidedAt) = (decidedBy, decidedAt)
  }

  /// Returns the rights at a time; nil if there are none.
  package func scope(at now: Instant) -> GuardianScope? {
    guard state == .active, startsAt <= now, endsAt.map({ now < $0 }) ?? true else { return nil }
    if let reviewAt, reviewAt <= now { return min(scope, agreed) }
    return scope
  }

  /// True if a parent has fewer rights because of the child's age.
  package func isLimitedByAge(at now: Instant) -> Bool {
    self.scope(at: now).map { $0 < scope } ?? false
  }

  /// Returns the time from which a parent will have fewer rights because of the child's age; nil if
  /// that is over, or changes nothing.
  package func review(ahead now: Instant) -> Instant? {
    guard let reviewAt, now < reviewAt, agreed < scope, endsAt.map({ reviewAt < $0 }) ?? true
    else { return nil }
    return reviewAt
  }

  /// The time before a change by age or date from which people are told of it, and from which a
  /// child can agree that a parent reads on.
  package static let notice = Seconds.days(30)

  /// True if it holds and the child or the clinic can agree to ``agreed``: after the review, and
  /// shortly before it, so that a parent need not stop reading in between.
  package func isForReview(at now: Instant) -> Bool {
    guard let reviewAt, scope > .book, self.scope(at: now) != nil else { return false }
    return reviewAt <= now + Self.notice
  }
}

extension Guardianship {
  /// Creates a parent's right to act for a child born on that day, as it begins now. It ends, and is
  /// limited to bookings, when the child reaches the ages.
  package init(
    of guardian: ID<Person>, forChild child: ID<Person>, born: CalendarDate,
    _ ages: GuardianshipAges, in zone: Zone, because reason: Reason, at now: Instant
  ) {
    self.init(
      person: child, guardian: guardian, basis: .parentalResponsibility, scope: .all,
      startsAt: now,
      reviewAt: GuardianshipAges.reached(ages.review, born: born, in: zone),
      endsAt: GuardianshipAges.reached(ages.end, born: born, in: zone),
      state: .active, reason: reason, decidedBy: guardian, decidedAt: now)
  }

  /// Returns a parent's right as another guardian of the child gives it.
  package func given(_ scope: GuardianScope, by giver: ID<Person>) -> Guardianship {
    var given = self
    (given.scope, given.decidedBy) = (scope, giver)
    return given
  }

  /// True if this guardian of a child ends the right of another one to whom they have given it: one
  /// that allows less, and for a week any, because the link may have reached the wrong person.
  package func ends(_ other: Guardianship, at now: Instant) -> Bool {
    guard other.decidedBy == guardian, other.reason == .accepted, other.scope(at: now) != nil
    else { return false }
    return lastMoment(toEnd: other).map { now < $0 } ?? true
  }

  /// Returns the end of the week in which this guardian ends the right that they have given another
  /// one; nil for a right with less than the own, which they end at any time.
  package func lastMoment(toEnd other: Guardianship) -> Instant? {
    other.scope < scope ? nil : other.decidedAt + GuardianInvitation.lifetime
  }

  /// Returns those of a child's guardians who have their right by a link of this one, or of one of
  /// these, and have it now.
  package func invited(among all: [Guardianship], at now: Instant) -> [Guardianship] {
    var rest = all.filter {
      $0.reason == .accepted && $0.basis == .parentalResponsibility && $0.guardian != guardian
        && $0.scope(at: now) != nil
    }
    var found: [Guardianship] = []
    var givers: Set = [guardian]
    while let next = rest.firstIndex(where: { $0.decidedBy.map(givers.contains) ?? false }) {
      givers.insert(rest[next].guardian)
      found.append(rest.remove(at: next))
    }
    return found
  }

  /// True if a child whom the other guardian leaves has as much in this one: nothing but all rights
  /// is as much as all rights.
  package func replaces(_ other: Guardianship) -> Bool { scope == .all || other.scope < .all }

  /// Creates the right that an adult gives.
  package init(
    of guardian: ID<Person>, givenBy person: ID<Person>, _ scope: GuardianScope,
    until end: Instant?, at now: Instant
  ) {
    self.init(
      person: person, guardian: guardian, basis: .consent, scope: scope, startsAt: now,
      reviewAt: nil, endsAt: end, state: .active, reason: .accepted, decidedBy: person,
      decidedAt: now)
  }

  /// Returns it in another state, by a decision now. An agreement that a parent reads on ends with
  /// it.
  package func changed(
    to state: State, because reason: Reason, by person: ID<Person>?, at now: Instant
  ) -> Guardianship {
    var changed = self
    (changed.state, changed.reason) = (state, reason)
    (changed.decidedBy, changed.decidedAt) = (person, now)
    if state != .active { changed.agreed = .book }
    return changed
  }

  /// Returns the right that an adult has given with other rights and another end, by a decision now.
  package func granting(
    _ scope: GuardianScope, until end: Instant?, at now: Instant
  ) -> Guardianship {
    var changed = changed(to: state, because: .changed, by: person, at: now)
    (changed.scope, changed.endsAt) = (scope, end)
    return changed
  }

  /// Returns a parent's right with the times at which a child born on that day reaches the ages.
  func following(
    birthDate: CalendarDate, _ ages: GuardianshipAges, in zone: Zone
  ) -> Guardianship {
    var changed = self
    changed.reviewAt = GuardianshipAges.reached(ages.review, born: birthDate, in: zone)
    changed.endsAt = GuardianshipAges.reached(ages.end, born: birthDate, in: zone)
    return changed
  }

  /// True while the reception can end what a link of its own gave: for a week, because the wrong
  /// person may have used it, and only until somebody decides about it.
  package func isGivenByClinicLink(at now: Instant) -> Bool {
    reason == .proved && decidedBy == guardian && now < decidedAt + GuardianInvitation.lifetime
      && scope(at: now) != nil
  }

  /// Returns it with other rights from the review on, by a decision now.
  package func agreeing(
    to scope: GuardianScope, by person: ID<Person>, at now: Instant
  ) -> Guardianship {
    var changed = changed(
      to: state, because: scope == .book ? .withdrawn : .confirmed, by: person, at: now)
    changed.agreed = scope
    return changed
  }
}

extension Guardianship {
  package static let schema: [SQL] = [
    """
    CREATE TABLE guardianships (
      person \(.person),
      guardian \(.person),
      basis TEXT NOT NULL,
      scope TEXT NOT NULL,
      agreed TEXT NOT NULL,
      starts_at \(.integer) NOT NULL,
      review_at \(.integer),
      ends_at \(.integer),
      state TEXT NOT NULL,
      reason TEXT NOT NULL,
      decided_by \(.actor),
      decided_at \(.integer) NOT NULL,
      seal \(.bytes) NOT NULL,
      PRIMARY KEY (person, guardian)
    ) \(.strict)
    """,
    "CREATE INDEX guardianships_guardian ON guardianships (guardian)",
    "CREATE INDEX guardianships_decided_by ON guardianships (decided_by)",
  ]

  /// Returns those of a person, as guardian or in care, for the data export. The numbers of people are
  /// those in the addresses of pages.
  package static func json(of person: ID<Person>, on connection: Connection) throws -> JSON {
    .array(
      try connection.rows(
        """
        SELECT person, guardian, basis, scope, starts_at, ends_at, state FROM guardianships
        WHERE person = \(person) OR guardian = \(person) ORDER BY starts_at, person, guardian
        """
      ) { row in
        [
          "person": .string("\(row.id(0) as ID<Person>)"),
          "guardian": .string("\(row.id(1) as ID<Person>)"), "basis": .string(row.string(2)),
          "scope": .string(row.string(3)), "starts_at": .string(row.instant(4).timestamp),
          "ends_at": row.isNull(5) ? .null : .string(row.instant(5).timestamp),
          "state": .string(row.string(6)),
        ]
      })
  }

  /// Returns an SQL condition that is true if both are one person, or if `reader` acts for `person`.
  package static func lets(_ reader: SQL, see person: SQL, at now: Instant) -> SQL {
    """
    (\(person) = \(reader) OR EXISTS (SELECT 1 FROM guardianships AS held
      WHERE held.person = \(person) AND held.guardian = \(reader) AND held.state = 'active'
        AND (held.ends_at IS NULL OR held.ends_at > \(now))))
    """
  }

  static let columns: SQL = """
    guardianships.person, guardian, basis, scope, agreed, starts_at, review_at, ends_at,
    guardianships.state, reason, decided_by, decided_at, guardianships.seal
    """
  /// The number of ``columns``.
  static let columnCount = 13

  /// Throws ``AlteredRow`` if something other than the portal has changed the row.
  init(_ row: Row, _ vault: Vault) throws {
    func time(_ column: Int) -> Instant? { row.isNull(column) ? nil : row.instant(column) }
    (person, guardian) = (row.id(0), row.id(1))
    guard let basis = Basis(rawValue: row.string(2)),
      let scope = GuardianScope(rawValue: row.string(3)),
      let agreed = GuardianScope(rawValue: row.string(4)),
      let state = State(rawValue: row.string(8)), let reason = Reason(rawValue: row.string(9))
    else { throw AlteredRow(person: row.id(0), table: "guardianships") }
    (self.basis, self.scope, self.agreed) = (basis, scope, agreed)
    (self.state, self.reason) = (state, reason)
    (startsAt, reviewAt, endsAt) = (row.instant(5), time(6), time(7))
    decidedBy = row.isNull(10) ? nil : row.id(10)
    decidedAt = row.instant(11)
    guard vault.accountSeal.code(of: self).isSame(as: row.bytes(12)) else {
      throw AlteredRow(person: person, table: "guardianships")
    }
  }

  /// Stores it in place of an earlier one between the two.
  package func save(_ vault: Vault, on connection: Connection) throws {
    try connection.run(
      """
      INSERT INTO guardianships (person, guardian, basis, scope, agreed, starts_at, review_at,
        ends_at, state, reason, decided_by, decided_at, seal)
      VALUES (\(person), \(guardian), \(basis.rawValue), \(scope.rawValue), \(agreed.rawValue),
        \(startsAt), \(reviewAt), \(endsAt), \(state.rawValue), \(reason.rawValue), \(decidedBy),
        \(decidedAt), \(vault.accountSeal.code(of: self)))
      ON CONFLICT (person, guardian) DO UPDATE
        SET basis = excluded.basis, scope = excluded.scope, agreed = excluded.agreed,
          starts_at = excluded.starts_at, review_at = excluded.review_at,
          ends_at = excluded.ends_at, state = excluded.state, reason = excluded.reason,
          decided_by = excluded.decided_by, decided_at = excluded.decided_at,
          seal = excluded.seal
      """)
  }

  /// Returns that between two people, whatever its state; nil if there was none.
  package static func find(
    of guardian: ID<Person>, for person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws -> Guardianship? {
    try connection.row(
      """
      SELECT \(columns) FROM guardianships WHERE person = \(person) AND guardian = \(guardian)
      """
    ) { try Guardianship($0, vault) }
  }

  /// Returns those of a person's guardians, whatever their state, in the order of the decisions.
  package static func all(
    for person: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws -> [Guardianship] {
    try connection.rows(
      """
      SELECT \(columns) FROM guardianships WHERE person = \(person)
      ORDER BY decided_at, guardian
      """
    ) { try Guardianship($0, vault) }
  }

  /// Returns those of a guardian, whatever their state, in the order in which they began.
  package static func all(
    of guardian: ID<Person>, _ vault: Vault, on connection: Connection
  ) throws -> [Guardianship] {
    try connection.rows(
      """
      SELECT \(columns) FROM guardianships WHERE guardian = \(guardian)
      ORDER BY starts_at, person
      """
    ) { try Guardianship($0, vault) }
  }

  /// Returns those of these children whose details the clinic keeps: it has entered or corrected
  /// them, or has seen proof of a guardian's right.
  package static func keptByClinic(
    among children: [ID<Person>], on connection: Connection
  ) throws -> Set<ID<Person>> {
    if children.isEmpty { return [] }
    let actions = [AuditEntry.Action.enter, .correct].map(\.rawValue)
    return Set(
      try connection.rows(
        """
        SELECT subject FROM audit
        WHERE subject IN \(list: children) AND action IN \(list: actions)
        UNION SELECT person FROM guardianships
        WHERE person IN \(list: children) AND reason = \(Reason.proved.rawValue)
        """
      ) { row -> ID<Person> in row.id(0) })
  }

  /// Returns the people between whom a guardianship is in force that a review or an end changes
  /// between two moments.
  package static func changing(
    _ first: Instant, _ last: Instant, on connection: Connection
  ) throws -> [(person: ID<Person>, guardian: ID<Person>)] {
    try connection.rows(
      """
      SELECT person, guardian FROM guardianships
      WHERE state = 'active' AND (review_at BETWEEN \(first) AND \(last)
        OR ends_at BETWEEN \(first) AND \(last))
      ORDER BY person, guardian
      """
    ) { ($0.id(0), $0.id(1)) }
  }

  /// True if somebody acts for others, in the columns of a query about `person`.
  static let isGuardian: SQL = """
    EXISTS (SELECT 1 FROM guardianships
      WHERE guardian = sessions.person AND guardianships.state = 'active')
    """
}
