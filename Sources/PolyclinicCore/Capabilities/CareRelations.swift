/// Decides which people's data a doctor or a receptionist may open.
public protocol CareRelations: Capability {
  /// Returns those of `people` whose data the visitor may open for this reason at this moment.
  ///
  /// - ``AccessReason/care``: the patients of the doctor's own list.
  /// - ``AccessReason/reception``: the patients with an appointment at the receptionist's own
  ///   clinic.
  ///
  /// The visitor must have the role of the reason.
  func allowed(
    _ people: Set<ID<Person>>, for reason: AccessReason, in work: Work
  ) throws -> Set<ID<Person>>

  /// Returns the doctors who treat the person of the work, for whom ``allowed(_:for:in:)`` returns
  /// that person, as FHIR's `CareTeam` lists them.
  func careTeam(in work: Work) throws -> [ID<Person>]

  /// Returns the public names of those of `people` who are doctors, with their specialization.
  func publicNames(of people: [ID<Person>], in work: Work) throws -> [ID<Person>: Text]
}
