/// A provider of other people's keys that logs each access, such as the server's vault.
package protocol KeyHolder: Sendable {
  /// Returns the keys of those people and logs each access; `what` also names the module whose
  /// words it uses.
  ///
  /// See ``Context/of(_:for:reading:)``.
  func keys(
    of people: [ID<Person>], for reason: AccessReason, reading what: Text, in work: Work
  ) throws -> [ID<Person>: Keys]

  /// Returns the people who show the visitor their records of a module, sorted by name.
  ///
  /// See ``Context/sharedWithMe()``.
  func peopleSharing(_ module: ModuleID, in work: Work) throws -> [Portal.NamedPerson]

  /// Logs the visitor's change of those people's data; `change` also names the module whose words
  /// it uses.
  ///
  /// See ``Context/recordChange(_:of:for:)``.
  func recordChange(
    _ change: Text, of people: [ID<Person>], for reason: AccessReason, in work: Work
  ) throws
}
