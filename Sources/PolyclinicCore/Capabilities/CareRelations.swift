/// Who cares for whom: says whose data a doctor or a receptionist may open.
public protocol CareRelations: Capability {
  /// Those of `people` whom the visitor may open for this reason at this moment.
  ///
  /// ``AccessReason/care``: the patients of the doctor's own list. ``AccessReason/desk``: those with
  /// an appointment at the receptionist's own clinic. The visitor has the reason's role.
  func allowed(
    _ people: Set<ID<Person>>, to visitor: Visitor, for reason: AccessReason, at now: Instant,
    on connection: Connection
  ) throws -> Set<ID<Person>>
}
