/// One record of a file that somebody brings along, before anything of it is stored.
public struct Arrival<Item: Sendable>: Sendable {
  /// The line of the file on which it begins, from 1.
  public let line: Int
  /// What the person calls it; empty where the file does not say.
  public let title: String
  /// What is to become of it.
  public let fate: Fate

  /// What becomes of a record.
  public enum Fate: Sendable {
    /// It is stored as a new one.
    case new(Item)
    /// It takes the place of one that is stored.
    case update(Item)
    /// It is there already, and left alone.
    case duplicate
    /// It cannot be stored, for this reason.
    case refused(Text)
  }

  /// A record on a line, and what is to become of it.
  public init(line: Int, title: String, _ fate: Fate) {
    self.line = line
    self.title = title
    self.fate = fate
  }

  /// What is to be stored; nil where nothing is.
  var item: Item? {
    switch fate {
    case .new(let item), .update(let item): item
    case .duplicate, .refused: nil
    }
  }
}
