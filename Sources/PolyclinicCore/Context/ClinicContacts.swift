extension Portal {
  /// Knows how patients reach the clinics.
  public protocol ClinicContacts: Capability {
    /// The module that offers this, in whose words ``overview(_:)`` is written.
    var module: ModuleID { get }

    /// Returns the public page with the doctors whom these words of a search find, such as
    /// “vaccination”, those with the next free times first.
    func doctors(finding words: String, for patient: Patient) -> Path

    /// Returns the name and the telephone number of the clinic that the person has chosen, or else
    /// visits, or else of the only clinic; nil if there is no such number.
    func clinic(of person: ID<Person>, in work: Work) throws -> (name: Text.Value, phone: String)?

    /// Returns the names, telephone numbers and opening hours of the first clinics, as a part of a
    /// page below a heading of the second level; nil without clinics. The context is one of
    /// ``module``.
    func overview(_ context: Context) throws -> HTML?
  }

  /// The patients whom a doctor sees.
  public enum Patient: Sendable {
    /// A patient of any age.
    case any
    /// A patient whom doctors for children see.
    case child
  }
}
