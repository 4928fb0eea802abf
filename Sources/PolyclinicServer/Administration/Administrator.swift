import PolyclinicCore

/// Whoever administers the portal: changes what people may do, and leaves one audit entry for each change.
///
/// Every change of rights ends the person's sessions (ASVS 5.0, 7.4: new rights, new session), in the
/// same transaction.
struct Administrator {
  let vault: Vault
  let author: AuditEntry.Author
  let now: Instant
  /// The request that asks for it, so that the log tells of it; nil at the command line.
  var visit: Visit?

  /// Gives the role that waits for approval; throws ``Refusal/conflict(_:)`` when it does not wait.
  func approve(_ role: Role, for person: ID<Person>, on connection: Connection) throws {
    try change(.approve, person, role, on: connection) { account in
      guard account.wantedRole == role else { throw Refusal.conflict("error.nothing-waits") }
      account.wantedRole = nil
      account.roles.insert(role)
    }
  }

  /// Forgets that a role was wanted; throws ``Refusal/conflict(_:)`` when it does not wait.
  func decline(_ role: Role, for person: ID<Person>, on connection: Connection) throws {
    try change(.decline, person, role, on: connection) { account in
      guard account.wantedRole == role else { throw Refusal.conflict("error.nothing-waits") }
      account.wantedRole = nil
    }
  }

  /// Gives a role; one that the person has already is no change.
  func give(_ role: Role, to person: ID<Person>, on connection: Connection) throws {
    try change(.give, person, role, on: connection) { account in
      account.roles.insert(role)
      if account.wantedRole == role { account.wantedRole = nil }
    }
  }

  /// Takes a role; a patient everybody stays.
  ///
  /// Throws ``Refusal/conflict(_:)`` rather than leave nobody to administer.
  func take(
    _ role: Role, from person: ID<Person>, telling installation: Installation,
    on connection: Connection
  ) throws {
    if role == .patient { return }
    let before = try change(.take, person, role, on: connection) { $0.roles.remove(role) }
    if before != nil {
      try installation.withdraw([role], from: person, at: now, on: connection)
    }
  }

  /// Keeps the person from signing in; throws ``Refusal/conflict(_:)`` for the last administrator.
  ///
  /// Tokens and calendars' addresses end as sessions do: none is to work again when the person is
  /// reinstated, without a word.
  func suspend(
    _ person: ID<Person>, telling installation: Installation, on connection: Connection
  ) throws {
    let before = try change(.suspend, person, nil, on: connection) { $0.state = .suspended }
    try Account.endAccess(of: person, on: connection)
    if let before {
      try installation.withdraw(before.roles, from: person, at: now, on: connection)
    }
  }

  /// Lets the person sign in again.
  func reinstate(_ person: ID<Person>, on connection: Connection) throws {
    try change(.reinstate, person, nil, on: connection) { $0.state = .active }
  }

  /// A new address at which the person sets a password, of which the person is told; earlier ones stop
  /// working. `endingSecondFactor` is for somebody who has lost it, and proved at the clinic who it is.
  ///
  /// Throws ``Refusal/notFound``, and ``Refusal/conflict(_:)`` for who could not sign in with it.
  func makePasswordLink(
    for person: ID<Person>, endingSecondFactor: Bool = false, telling news: AccountNews,
    on connection: Connection
  ) throws -> Path {
    guard let account = try Account.find(person, on: connection) else { throw Refusal.notFound }
    if account.state == .suspended { throw Refusal.conflict("person.link.suspended") }
    try record(
      endingSecondFactor ? .secondFactorLink : .passwordLink, person, nil, on: connection)
    try news.tell(
      person, .linkMade(endingSecondFactor: endingSecondFactor), by: author, at: now,
      on: connection)
    return try OneTimeLink.makeReset(
      for: person, endingSecondFactor: endingSecondFactor, at: now, vault, on: connection)
  }

  /// A new address at which somebody without an account gets one; earlier ones stop working.
  ///
  /// Throws ``Refusal/notFound``, and ``Refusal/conflict(_:)`` if the person has an account.
  func makeInvitation(for person: ID<Person>, on connection: Connection) throws -> Path {
    let isThere = try connection.integer("SELECT 1 FROM people WHERE id_person = \(person)") != nil
    guard isThere else { throw Refusal.notFound }
    guard try Account.find(person, on: connection) == nil else {
      throw Refusal.conflict("person.invite.has-account")
    }
    try record(.invite, person, nil, on: connection)
    return try OneTimeLink.makeInvitation(for: person, at: now, vault, on: connection)
  }

  func record(
    _ action: AuditEntry.Action, _ person: ID<Person>?, _ role: Role?, on connection: Connection
  ) throws {
    try AuditEntry(action, by: author, at: now, subject: person, role: role)
      .insert(on: connection)
    visit?.record(SecurityEvent(action, of: person, role))
  }

  /// What the account was before; nil where nothing has changed.
  @discardableResult
  private func change(
    _ action: AuditEntry.Action, _ person: ID<Person>, _ role: Role?, on connection: Connection,
    _ body: (inout Account) throws -> Void
  ) throws -> Account? {
    guard let account = try Account.find(person, on: connection) else { throw Refusal.notFound }
    try account.requireGenuine(vault, on: connection)
    var changed = account
    try body(&changed)
    let isSame =
      changed.roles == account.roles && changed.state == account.state
      && changed.wantedRole == account.wantedRole
    if isSame { return nil }
    try changed.save(vault, on: connection)
    try Sessions().endAll(of: person, on: connection)
    try record(action, person, role, on: connection)
    return account
  }
}
