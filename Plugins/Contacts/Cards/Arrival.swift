import PolyclinicCore

struct Arrival<Item: Sendable>: Sendable {
  let line: Int
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
