/// A provider of other people's keys that logs each access, such as the server's vault.
package protocol KeyHolder: Sendable {
  /// Returns the keys of those people and logs each access on `connection`.
  ///
  /// See ``Portal/keys(of:for:asking:on:)``.
  func keys(
    of people: [ID<Person>], for reason: AccessReason, asking visitor: Visitor, at now: Instant,
    on connection: Connection
  ) throws -> [ID<Person>: Keys]

  /// Logs a visitor's change of those people's data; `change` also names the module whose words it
  /// uses.
  ///
  /// See ``Context/recordChange(_:of:for:on:)``.
  func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, by visitor: Visitor,
    at now: Instant, on connection: Connection
  ) throws
}
