import PolyclinicSystem

/// Insertions into one source file.
struct SourceEdit {
  let path: String
  let insertions: [Insertion]
  /// The module that the file imports from now on; nil for none.
  var importing: String?

  /// A text and the place for it: before or behind the first occurrence of another text.
  struct Insertion {
    let text: String
    let anchor: String
    let isBefore: Bool

    init(_ text: String, before anchor: String) {
      (self.text, self.anchor, isBefore) = (text, anchor, true)
    }

    init(_ text: String, behind anchor: String) {
      (self.text, self.anchor, isBefore) = (text, anchor, false)
    }
  }

  /// Returns the file's text with the insertions. Throws ``Misuse`` if it lacks one of the places.
  func applied(to text: String) throws -> String {
    var text = text
    for insertion in insertions {
      guard let place = text.firstRange(of: insertion.anchor) else {
        let line = insertion.anchor.split(separator: "\n").last.map(String.init) ?? ""
        throw Misuse(
          "\(path) has no line \"\(line.drop { $0 == " " })\", where the module belongs. Nothing "
            + "was written.")
      }
      text.insert(
        contentsOf: insertion.text, at: insertion.isBefore ? place.lowerBound : place.upperBound)
    }
    return importing.map { Self.sortingImports("import \($0)\n\(text)") } ?? text
  }

  /// Returns the text with the imports at its beginning in alphabetical order.
  static func sortingImports(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let imports = lines.prefix { $0.hasPrefix("import ") }
    return (imports.sorted() + lines.dropFirst(imports.count)).joined(separator: "\n")
  }
}
