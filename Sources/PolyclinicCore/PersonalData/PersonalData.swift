/// The personal data that a module stores. The privacy page describes it, and a person can export
/// it.
///
/// Erasure needs no list here, because each row of a person's data refers to the person and is
/// deleted with them. An ``Obstacle`` reports data that others rely on and that must be settled
/// first, such as a doctor's booked patients.
public struct PersonalData: Sendable {
  /// One kind of stored data.
  public struct Kept: Sendable {
    /// The description of the data.
    public let what: Text
    /// The retention period.
    public let until: Text
    /// The readers besides the person.
    public let seenBy: Text
    /// True if the data is sealed, by the person's keys or by the portal's.
    public let isSealed: Bool
    /// The readable columns of the data: `table.column`, or `table` for all columns of a table.
    public let columns: [String]

    /// Describes data that is sealed in the database. Only the person's keys open it, or the
    /// portal's if others routinely read it.
    public static func sealed(
      _ what: Text, until: Text, seenBy: Text = "privacy.seen-by-nobody"
    ) -> Kept {
      Kept(what: what, until: until, seenBy: seenBy, isSealed: true, columns: [])
    }

    /// Describes data that is readable in the database, in these columns.
    ///
    /// The privacy page also says of all records that their numbers, their owners and the columns
    /// `created_at` and `deleted_at` are readable.
    public static func plain(
      _ what: Text, until: Text, seenBy: Text = "privacy.seen-by-administrators",
      columns: [String] = []
    ) -> Kept {
      Kept(what: what, until: until, seenBy: seenBy, isSealed: false, columns: columns)
    }
  }

  /// Writes the person's data as JSON, record by record. Receives the work on that data, which
  /// reads.
  public typealias Export = @Sendable (Work, JSON.Writer) throws -> Void

  /// Returns a sentence with the action that is needed before the person can be erased; nil if
  /// there is no obstacle.
  ///
  /// Called within the transaction that erases, also while the module is switched off. Must change
  /// nothing.
  public typealias Obstacle = @Sendable (ID<Person>, Work) throws -> Text?

  /// Returns a sentence about something to come that the person's erasure takes away, such as
  /// booked appointments; nil if there is nothing.
  ///
  /// Pages show it before the erasure, also while the module is switched off.
  public typealias Loss = @Sendable (ID<Person>, Work) throws -> Text?

  /// Finds the person's files that are not known in advance, such as pictures. Each is read when it
  /// is written.
  public typealias Attached = @Sendable (Work) throws -> [ExportFile]

  /// The rows of the privacy page.
  public let kept: [Kept]
  /// The readable columns without personal data, such as opening hours or a checksum. Each key is
  /// `table.column`, or `table` for all of its columns; the value is the reason.
  public private(set) var impersonal: [String: String] = [:]
  /// Exports all of the person's data of this module.
  public let export: Export
  /// The same data in the formats of other programs.
  public private(set) var files: [ExportFile] = []
  /// Finds the files that the person has stored.
  public private(set) var attachments: Attached = { _ in [] }
  /// Exports the same data as FHIR R4 resources, as far as FHIR can express it; nil if the module
  /// has none. Appends one after the other. The resources of all modules form one Bundle.
  public private(set) var fhir: Export?
  /// The reference to the person's Patient in the same Bundle, for the resources of ``fhir``.
  public static let patientReference = "Patient/\(patientID)"
  package static let patientID = "person"
  /// Returns the obstacle to a person's erasure.
  public let obstacle: Obstacle
  /// Return what the person's erasure takes away, each for one part of the module.
  public private(set) var losses: [Loss] = []

  /// Combines two parts of a module: their lists one after the other, and their exports in one
  /// object. The first of two obstacles is reported.
  public static func + (one: PersonalData, other: PersonalData) -> PersonalData {
    var both = PersonalData(
      kept: one.kept + other.kept,
      export: { work, copy in
        try one.export(work, copy)
        try other.export(work, copy)
      },
      obstacle: { person, work in
        try one.obstacle(person, work) ?? other.obstacle(person, work)
      })
    both.files = one.files + other.files
    both.attachments = { work in
      try one.attachments(work) + other.attachments(work)
    }
    both.impersonal = one.impersonal.merging(other.impersonal) { first, _ in first }
    both.losses = one.losses + other.losses
    both.fhir = joined([one.fhir, other.fhir].compactMap(\.self))
    return both
  }

  private static func joined(_ parts: [Export]) -> Export? {
    if parts.isEmpty { return nil }
    return { work, resources in
      for part in parts { try part(work, resources) }
    }
  }

  private init(kept: [Kept], export: @escaping Export, obstacle: @escaping Obstacle) {
    self.kept = kept
    self.export = export
    self.obstacle = obstacle
  }

  /// Creates the description of a module's personal data.
  ///
  /// - `kept` is shown on the privacy page.
  /// - `export` writes the person's data export, together with `files` and `attachments`.
  /// - `fhir` writes an array of FHIR resources for the same export.
  /// - `obstacle` is called before the person is erased.
  /// - `loss` is called for the pages that ask before the erasure.
  ///
  /// Each column that is not sealed must be in one of `kept` or, with the reason, in `impersonal`.
  public init(
    _ kept: Kept..., impersonal: [String: String] = [:], export: @escaping Export,
    files: [ExportFile] = [], attachments: @escaping Attached = { _ in [] },
    fhir: Export? = nil,
    obstacle: @escaping Obstacle = { _, _ in nil }, loss: Loss? = nil
  ) {
    self.init(kept: kept, export: export, obstacle: obstacle)
    losses = loss.map { [$0] } ?? []
    self.impersonal = impersonal
    self.files = files
    self.attachments = attachments
    self.fhir = fhir
  }

  /// Opens all of the person's data and discards it. Throws if any of it cannot be opened.
  package func openAll(in work: Work) throws {
    try export(work, JSON.Writer(to: ByteSink { _ in }))
  }

  /// The value for a module without personal data.
  public static let none = PersonalData(export: { _, _ in })

  /// Returns the value for a module without personal data that stores these tables or columns.
  public static func none(impersonal: [String: String]) -> PersonalData {
    PersonalData(impersonal: impersonal, export: { _, _ in })
  }
}
