/// What a module keeps about people: said to them on the privacy page, and handed out on request.
///
/// Erasure needs no list here: each row of a person's data refers to the person and goes along. What
/// others rely on and has to be settled before, a doctor's booked patients say, is its ``Obstacle``.
public struct PersonalData: Sendable {
  /// One kind of data that is kept.
  public struct Kept: Sendable {
    /// What it is.
    public let what: Text
    /// How long it is kept.
    public let until: Text
    /// Who sees it besides the person.
    public let seenBy: Text
    /// Whether it is sealed: by the person's keys, or by the portal's.
    public let isSealed: Bool
    /// Readable columns of it: `table.column`, or `table` for all columns of one.
    public let columns: [String]

    /// Data that stands sealed in the database: only the person's keys open it, or, where others read it
    /// as a matter of course, the portal's.
    public static func sealed(
      _ what: Text, until: Text, seenBy: Text = "privacy.seen-by-nobody"
    ) -> Kept {
      Kept(what: what, until: until, seenBy: seenBy, isSealed: true, columns: [])
    }

    /// Data that stands readable in the database, in these columns.
    ///
    /// Besides, the privacy page says of all records that their numbers, their owners and the columns
    /// `created_at` and `deleted_at` are readable.
    public static func plain(
      _ what: Text, until: Text, seenBy: Text = "privacy.seen-by-administrators",
      columns: [String] = []
    ) -> Kept {
      Kept(what: what, until: until, seenBy: seenBy, isSealed: false, columns: columns)
    }
  }

  /// Writes the person's data as JSON, records one by one; gets the person's keys and a connection that
  /// reads.
  public typealias Export = @Sendable (Keys, Connection, JSONWriter) throws -> Void

  /// Says what has to be done before the person can be erased, in a sentence that names the remedy; nil
  /// where nothing stands in the way.
  ///
  /// Asked within the transaction that erases, also while the module is switched off; it changes nothing.
  public typealias Obstacle = @Sendable (ID<Person>, Instant, Connection) throws -> Text?

  /// Finds the person's files that are not known before, such as pictures; each is read when it is written.
  public typealias Attached = @Sendable (Keys, Connection) throws -> [ExportFile]

  /// What the privacy page says, a row each.
  public let kept: [Kept]
  /// Readable columns that say nothing about anybody, such as opening hours or a checksum: each
  /// `table.column`, or whole `table`, with the reason.
  public private(set) var impersonal: [String: String] = [:]
  /// All of the person's data of this module.
  public let export: Export
  /// The same data in the formats of other programs.
  public private(set) var files: [ExportFile] = []
  /// The files that the person has stored.
  public private(set) var attachments: Attached = { _, _ in [] }
  /// The same data as FHIR R4 resources, as far as FHIR has words for it: it appends one after the
  /// other. Those of all modules make one Bundle.
  public private(set) var fhir: Export?
  /// The reference to the person's Patient in the same Bundle, for the resources of ``fhir``.
  public static let patientReference = "Patient/\(patientID)"
  package static let patientID = "person"
  /// What stands in the way of a person's erasure.
  public let obstacle: Obstacle

  /// What two parts of a module keep: what they say of it one behind the other, and what they hand out
  /// in one object. Of two obstacles the first is told.
  public static func + (one: PersonalData, other: PersonalData) -> PersonalData {
    var both = PersonalData(
      kept: one.kept + other.kept,
      export: { keys, connection, copy in
        try one.export(keys, connection, copy)
        try other.export(keys, connection, copy)
      },
      obstacle: { person, now, connection in
        try one.obstacle(person, now, connection) ?? other.obstacle(person, now, connection)
      })
    both.files = one.files + other.files
    both.attachments = { keys, connection in
      try one.attachments(keys, connection) + other.attachments(keys, connection)
    }
    both.impersonal = one.impersonal.merging(other.impersonal) { first, _ in first }
    both.fhir = joined([one.fhir, other.fhir].compactMap(\.self))
    return both
  }

  private static func joined(_ parts: [Export]) -> Export? {
    if parts.isEmpty { return nil }
    return { keys, connection, resources in
      for part in parts { try part(keys, connection, resources) }
    }
  }

  private init(kept: [Kept], export: @escaping Export, obstacle: @escaping Obstacle) {
    self.kept = kept
    self.export = export
    self.obstacle = obstacle
  }

  /// `kept` is told on the privacy page; `export` writes the person's copy, and with it `files`,
  /// `attachments`, and `fhir` an array of FHIR resources; `obstacle` is asked before the person is erased.
  ///
  /// Each column that is not sealed stands in one of `kept` or, with the reason, in `impersonal`.
  public init(
    _ kept: Kept..., impersonal: [String: String] = [:], export: @escaping Export,
    files: [ExportFile] = [], attachments: @escaping Attached = { _, _ in [] },
    fhir: Export? = nil,
    obstacle: @escaping Obstacle = { _, _, _ in nil }
  ) {
    self.init(kept: kept, export: export, obstacle: obstacle)
    self.impersonal = impersonal
    self.files = files
    self.attachments = attachments
    self.fhir = fhir
  }

  /// Opens all of the person's data, and throws where something does not open; nothing is kept of it.
  package func openAll(by keys: Keys, on connection: Connection) throws {
    try export(keys, connection, JSONWriter(to: ByteSink { _ in }))
  }

  /// For a module that knows nothing about anybody.
  public static let none = PersonalData(export: { _, _, _ in })

  /// For a module that knows nothing about anybody, and keeps these tables or columns.
  public static func none(impersonal: [String: String]) -> PersonalData {
    PersonalData(impersonal: impersonal, export: { _, _, _ in })
  }
}
