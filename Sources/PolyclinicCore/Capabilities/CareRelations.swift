/// Decides which people's data a doctor or a receptionist may open.
public protocol CareRelations: Capability {
  /// Returns those of `people` whose data the visitor may open for this reason at this moment.
  ///
  /// - ``AccessReason/care``: the patients of the doctor's own list.
  /// - ``AccessReason/reception``: the patients with an appointment at the receptionist's own clinic.
  ///
  /// The visitor must have the role of the reason.
  func allowed(
    _ people: Set<ID<Person>>, to visitor: Visitor, for reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws -> Set<ID<Person>>
}
