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
