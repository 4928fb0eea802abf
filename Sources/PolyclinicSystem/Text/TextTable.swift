/// A table of words in aligned columns, for a terminal.
package struct TextTable {
  package let lines: [String]

  /// Makes each column as wide as its longest word. Removes control characters, which would act on
  /// the terminal.
  package init(_ rows: [[String]]) {
    let rows = rows.map { $0.map(Self.plain) }
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    lines = rows.map { row in
      let cells = row.enumerated().map { column, word in
        column == row.count - 1
          ? word : word + String(repeating: " ", count: widths[column] - word.count)
      }
      return cells.joined(separator: "  ")
    }
  }

  /// Returns the word without control and format characters, which could act on the terminal.
  package static func plain(_ word: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in word.unicodeScalars
    where scalar.properties.generalCategory != .control
      && scalar.properties.generalCategory != .format
    {
      plain.append(scalar)
    }
    return String(plain)
  }
}
