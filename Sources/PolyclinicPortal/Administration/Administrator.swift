import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Changes accounts on behalf of an administrator and writes one audit entry for each change.
///
/// Every change of rights also ends the person's sessions in the same transaction (ASVS 5.0, 7.4:
/// new rights need a new session).
package struct Administrator {
  package let vault: Vault
  package let author: AuditEntry.Author
  package let now: Instant
  /// The recorded changes, for the security log of the administrator's request.
  private(set) var events: [SecurityEvent] = []

  package init(vault: Vault, author: AuditEntry.Author, now: Instant) {
    self.vault = vault
    self.author = author
    self.now = now
  }

  /// Grants the role that waits for approval. Throws ``Refusal/conflict(_:)`` if the person does
  /// not wait for it.
  package mutating func approve(_ role: Role, for person: ID<Person>, on connection: Connection)
    throws
  {
    try change(.approve, person, role, on: connection) { account in
      guard account.wantedRole == role else { throw Refusal.conflict("error.nothing-waits") }
      account.wantedRole = nil
      account.roles.insert(role)
    }
  }

  /// Declines the role that waits for approval. Throws ``Refusal/conflict(_:)`` if the person does
  /// not wait for it.
  mutating func decline(_ role: Role, for person: ID<Person>, on connection: Connection) throws {
    try change(.decline, person, role, on: connection) { account in
      guard account.wantedRole == role else { throw Refusal.conflict("error.nothing-waits") }
      account.wantedRole = nil
    }
  }

  /// Grants a role. Does nothing if the person already has it.
  package mutating func give(_ role: Role, to person: ID<Person>, on connection: Connection) throws
  {
    try change(.give, person, role, on: connection) { account in
      account.roles.insert(role)
      if account.wantedRole == role { account.wantedRole = nil }
    }
  }

  /// Revokes a role. The role patient cannot be revoked.
  ///
  /// Throws ``Refusal/conflict(_:)`` if no administrator would be left.
  package mutating func take(
    _ role: Role, from person: ID<Person>, telling installation: Installation,
    on connection: Connection
  ) throws {
    if role == .patient { return }
    let before = try change(.take, person, role, on: connection) { $0.roles.remove(role) }
    if before != nil {
      try installation.withdraw([role], from: person, in: Work(at: now, on: connection))
    }
  }

  /// Suspends the account, so that the person cannot sign in. Throws ``Refusal/conflict(_:)`` for
  /// the last administrator.
  ///
  /// It also revokes API tokens and calendar addresses. Otherwise they would work again without
  /// notice once the account is reinstated.
  mutating func suspend(
    _ person: ID<Person>, telling installation: Installation, on connection: Connection
  ) throws {
    let before = try change(.suspend, person, nil, on: connection) { $0.state = .suspended }
    try Account.revokeAllAccess(of: person, on: connection)
    if let before {
      try installation.withdraw(before.roles, from: person, in: Work(at: now, on: connection))
    }
  }

  /// Lifts a suspension.
  mutating func reinstate(_ person: ID<Person>, on connection: Connection) throws {
    try change(.reinstate, person, nil, on: connection) { $0.state = .active }
  }

  /// Creates a link with which the person sets a password, and notifies the person. Earlier links
  /// become invalid. `endingSecondFactor` is for a person who has lost the second factor and proved
  /// their identity at the clinic. The person reads the reason in the access log.
  ///
  /// Throws ``Refusal/notFound`` if there is no account, and ``Refusal/conflict(_:)`` if it is
  /// suspended.
  package mutating func makePasswordLink(
    for person: ID<Person>, endingSecondFactor: Bool = false,
    because reason: AccessReason = .administration, telling notices: AccountNotices,
    on connection: Connection
  ) throws -> Path {
    guard let account = try Account.find(person, on: connection) else { throw Refusal.notFound }
    if account.state == .suspended {
      // The command line also shows it, outside the module's pages.
      throw Refusal.conflict(Text("person.link.suspended").spoken(by: "admin"))
    }
    try record(endingSecondFactor ? .secondFactorLink : .passwordLink, person, nil, on: connection)
    try notices.tell(
      person, .linkMade(endingSecondFactor: endingSecondFactor, by: author, for: reason),
      in: Work(at: now, on: connection))
    return try OneTimeLink.makeReset(
      for: person, as: endingSecondFactor ? .endingSecondFactor : .handedOut, at: now, vault,
      on: connection)
  }

  /// Creates a link with which a person without an account gets one. Earlier links become invalid.
  ///
  /// Throws ``Refusal/notFound`` if the person does not exist, and ``Refusal/conflict(_:)`` if the
  /// person has an account.
  mutating func makeInvitation(for person: ID<Person>, on connection: Connection) throws -> Path {
    let isThere = try connection.integer("SELECT 1 FROM people WHERE id_person = \(person)") != nil
    guard isThere else { throw Refusal.notFound }
    guard try Account.find(person, on: connection) == nil else {
      throw Refusal.conflict("person.invite.has-account")
    }
    try record(.invite, person, nil, on: connection)
    return try OneTimeLink.makeInvitation(
      for: person, vault, in: Work(at: now, on: connection))
  }

  /// Makes a link that has not been used invalid. Throws ``Refusal/conflict(_:)`` if there is none.
  mutating func withdrawLink(of person: ID<Person>, on connection: Connection) throws {
    guard try OneTimeLink.expiry(for: person, at: now, on: connection) != nil else {
      throw Refusal.conflict("person.link.none")
    }
    try record(.withdrawLink, person, nil, on: connection)
    try OneTimeLink.forget(of: person, on: connection)
  }

  package mutating func record(
    _ action: AuditEntry.Action, _ person: ID<Person>?, _ role: Role?, on connection: Connection
  ) throws {
    try AuditEntry(action, by: author, at: now, subject: person, role: role).insert(on: connection)
    events.append(SecurityEvent(action, of: person, role))
  }

  /// Applies a change, ends sessions and records it. Returns the account as it was before, or nil
  /// if nothing has changed.
  @discardableResult
  private mutating func change(
    _ action: AuditEntry.Action, _ person: ID<Person>, _ role: Role?, on connection: Connection,
    _ body: (inout Account) throws -> Void
  ) throws -> Account? {
    guard let account = try Account.find(person, on: connection) else { throw Refusal.notFound }
    try account.requireGenuine(vault)
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

extension Installation {
  /// Returns the modules' warnings about the consequences if the person loses these roles.
  func warnings(
    ofWithdrawing roles: Set<Role>, from person: ID<Person>, in work: Work
  ) throws -> [Text] {
    try withdrawals(of: roles).compactMap { module, withdrawal in
      try withdrawal.warning(person, work)?.spoken(by: module)
    }
  }

  /// Returns a notice for each effect of an earlier withdrawal that stays although the person has
  /// the role and an active account again.
  func remainders(of account: Account?, _ context: Context) throws -> [HTML] {
    guard let account, account.state == .active else { return [] }
    let enabled = Set(members.filter(\.isEnabled).map(\.module.id))
    return try withdrawals(of: account.roles).compactMap { module, withdrawal in
      guard enabled.contains(module), let found = try withdrawal.remainder(account.person, context)
      else { return nil }
      let link = context.button(
        found.label.spoken(by: module), to: found.page.resolved(in: module),
        style: [.secondary, .small])
      return context.notice(.remark, found.notice.spoken(by: module), as: .warning, action: link)
    }
  }

  /// Runs the modules' actions for a person who loses these roles.
  func withdraw(_ roles: Set<Role>, from person: ID<Person>, in work: Work) throws {
    for (_, withdrawal) in withdrawals(of: roles) { try withdrawal.body(person, work) }
  }

  /// Includes modules that are off, because their data is used again when they are turned on.
  private func withdrawals(of roles: Set<Role>) -> [(module: ModuleID, withdrawal: Withdrawal)] {
    members.flatMap { member in
      member.module.withdrawals.filter { roles.contains($0.role) }.map { (member.module.id, $0) }
    }
  }
}
