extension Portal {
  /// Knows how patients reach the clinic by telephone.
  public protocol ClinicContacts: Capability {
    /// The public list of clinics with their telephone numbers.
    var list: Path { get }

    /// Returns the telephone number of the clinic that the person has chosen, or else of the only
    /// clinic; nil if there is no such number. A person of nil is a visitor who has not signed in.
    func phone(for person: ID<Person>?, in work: Work) throws -> String?
  }
}
