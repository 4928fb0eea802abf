extension Portal {
  /// Knows how patients reach the clinics.
  public protocol ClinicContacts: Capability {
    /// The module that offers this, in whose words ``overview(_:)`` is written.
    var module: ModuleID { get }

    /// The public page on which people find a doctor with free times.
    var doctors: Path { get }

    /// Returns the telephone number of the clinic that the person has chosen, or else of the only
    /// clinic; nil if there is no such number.
    func phone(for person: ID<Person>, in work: Work) throws -> String?

    /// Returns the names, telephone numbers and opening hours of the first clinics, as a part of a
    /// page below a heading of the second level; nil without clinics. The context is one of
    /// ``module``.
    func overview(_ context: Context) throws -> HTML?
  }
}
