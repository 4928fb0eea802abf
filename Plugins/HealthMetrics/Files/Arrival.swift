import PolyclinicCore

/// One record of a file that somebody brings along, before anything of it is stored.
struct Arrival<Item: Sendable>: Sendable {
  /// The line of the file on which it begins, from 1.
  let line: Int
  /// What the person calls it.
  let title: String
  let fate: Fate

  enum Fate: Sendable {
    case new(Item)
    case update(Item)
    case duplicate
    case refused(Text)
  }

  init(line: Int, title: String, _ fate: Fate) {
    self.line = line
    self.title = title
    self.fate = fate
  }
}
