import PolyclinicCore

/// The content of an imported file, and the questions that it leaves open.
public struct ImportReading<Options: Sendable, Item: Sendable>: Sendable {
  /// The records; empty while a question is open.
  public var rows: [ImportRow<Item>]
  /// The options as far as the file itself shows them; nil for those that the user gave.
  public var options: Options?
  /// The options that the preview shows; nil for all.
  public var questions: Form<Options>?
  /// The questions without an answer.
  public var problems: [Fields.Problem] = []
  /// The facts about the whole file that the user should know, above the questions.
  public var about: HTML?

  /// Creates the content of a file with all its records.
  public init(_ rows: [ImportRow<Item>] = []) { self.rows = rows }
}

/// One record of an imported file, before anything of the file is stored.
public struct ImportRow<Item: Sendable>: Sendable {
  /// The line of the file at which the record begins, counted from 1.
  public let line: Int
  /// The record's name as the user knows it; empty if the file gives none.
  public let title: String
  /// Further values by which the user tells the record from others of the same name; empty for
  /// none.
  public var detail = ""
  /// The facts that the user should know before the import, such as a value that is not taken.
  public var remarks: [Text] = []
  /// Another way to import the record, which the user can choose; nil if there is none.
  public var alternative: Alternative?
  /// The outcome of importing the record.
  public let outcome: Outcome

  /// The outcome of importing a record.
  public enum Outcome: Sendable {
    /// The record is stored as a new one.
    case new(Item)
    /// The record replaces a stored one.
    case update(Item)
    /// The record is already stored and stays unchanged.
    case duplicate
    /// The record cannot be stored; the text is the reason.
    case refused(Text)
  }

  /// Another way to import a record, such as merging it with a stored one.
  public struct Alternative: Sendable {
    let id: String
    let label: Text
    /// The value that is stored in place of the record's own.
    public let item: Item

    /// Creates an alternative. The label is that of a check box. The ID tells it from one that
    /// changes another record.
    public init(_ id: String, _ label: Text, _ item: Item) {
      self.id = id
      self.label = label
      self.item = item
    }
  }

  /// Creates a record that begins at `line`, with the outcome of importing it.
  public init(line: Int, title: String, _ outcome: Outcome) {
    self.line = line
    self.title = title
    self.outcome = outcome
  }

  /// The value to store; nil for a duplicate and for a refused record.
  var item: Item? {
    switch outcome {
    case .new(let item), .update(let item): item
    case .duplicate, .refused: nil
    }
  }
}

/// The records that the user leaves out, and those that are imported in another way.
struct ImportSelection: Sendable {
  static let (omission, alternative): (StaticString, StaticString) = ("leave", "instead")

  /// The lines of the records to leave out.
  private let omitted: Set<String>
  /// The chosen alternatives, as ``value(of:)`` writes them.
  private let chosen: Set<String>

  init(_ sent: Fields = Fields()) {
    omitted = Set(sent.all(Self.omission.description))
    chosen = Set(sent.all(Self.alternative.description))
  }

  func omits<Item>(_ row: ImportRow<Item>) -> Bool { omitted.contains(String(row.line)) }

  func takesAlternative<Item>(of row: ImportRow<Item>) -> Bool {
    Self.value(of: row).map(chosen.contains) ?? false
  }

  /// Returns the value of the check box for a record's alternative; nil if it has none.
  static func value<Item>(of row: ImportRow<Item>) -> String? {
    row.alternative.map { "\(row.line)-\($0.id)" }
  }

  /// Returns the values to store. Throws ``Refusal/conflict(_:)`` if a chosen alternative is no
  /// longer there.
  func items<Item>(of rows: [ImportRow<Item>]) throws -> [Item] {
    let offered = Set(rows.compactMap { Self.value(of: $0) })
    guard chosen.isSubset(of: offered) else { throw Refusal.conflict("import.changed") }
    return rows.compactMap { row in
      if omits(row) { return nil }
      return takesAlternative(of: row) ? row.alternative?.item : row.item
    }
  }
}
