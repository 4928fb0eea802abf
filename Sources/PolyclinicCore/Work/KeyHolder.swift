/// Hands out the keys of others, and keeps the record of it; the server's vault is one.
public protocol KeyHolder: Sendable {
  /// The keys of those people, each access recorded on `connection`; see
  /// ``Portal/keys(of:for:asking:on:)``.
  func keys(
    of people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor, at now: Instant,
    on connection: Connection
  ) throws -> [ID<Person>: Keys]

  /// Records that the visitor changes something of those people's; `change` says whose words it is
  /// in. See ``Context/recordChange(_:of:for:on:)``.
  func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, by visitor: Visitor,
    at now: Instant, on connection: Connection
  ) throws
}

extension Context {
  /// The keys of others, for a reason that those others read in their access log; see
  /// ``Portal/keys(of:for:asking:on:)``. Throws ``Refusal/signedOut`` where nobody signed in.
  public func keys(
    of people: [ID<Person>], for reason: AccessReason, on connection: Connection
  ) throws -> [ID<Person>: Keys] {
    try portal.keys(of: people, for: reason, asking: signedIn(), on: connection)
  }

  /// Records that the visitor changes something of others, such as `"log.cancelled"`: they read it in
  /// their access log in the module's words, each change by itself.
  ///
  /// To be called in the transaction of the change and before it, since the change may end what allows
  /// it: throws ``Refusal/forbidden`` as ``keys(of:for:on:)`` does. What fills the sentence's
  /// placeholders is sealed. The visitor's own data needs no entry, and gets none.
  public func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, on connection: Connection
  ) throws {
    try portal.keyHolder.recordChange(
      change.spoken(by: module), of: people, for: reason, by: signedIn(), at: now, on: connection)
  }
}
