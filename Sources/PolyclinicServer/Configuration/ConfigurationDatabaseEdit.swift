import Glibc
import PolyclinicCore
import PolyclinicSystem
import Yams

/// Puts another database's address into the configuration file, and leaves every other byte
/// unchanged.
package struct ConfigurationDatabaseEdit {
  let edit: ConfigurationEdit

  /// Writes the address. Throws ``ConfigurationError`` if the file is invalid, and ``SystemError`` if
  /// it cannot be replaced.
  ///
  /// Missing rights are no error, but give ``ConfigurationEdit/Outcome/left(instruction:)``, as does a
  /// file that a program cannot change safely.
  func set(_ database: Configuration.Database) throws -> ConfigurationEdit.Outcome {
    let instruction = instruction(database)
    do {
      return try TextFile.change(edit.path) {
        let text = try Configuration.text(of: edit.path)
        guard let changed = try self.text(text, with: database) else {
          return .left(instruction: instruction)
        }
        guard changed != text else { return .unchanged }
        try TextFile.replace(changed, at: edit.path)
        return .changed
      }
    } catch let error as SystemError where [EACCES, EPERM, EROFS].contains(error.code) {
      return .left(instruction: "\(error). \(instruction)")
    }
  }

  private func instruction(_ database: Configuration.Database) -> String {
    let lines = Self.lines(database).map { "  \($0)\n" }.joined()
    return """
      In \(edit.path), write in place of the section "database"

      database:
      \(lines)
      and then run "polyclinic reload".
      """
  }

  private static func lines(_ database: Configuration.Database) -> [String] {
    let url = "url: \(Configuration.quoted(database.url))"
    return [url]
      + (database.passwordFile.map { ["password_file: \(Configuration.quoted($0))"] } ?? [])
  }

  /// Returns the changed text after parsing it, to verify that it changes only the database. Nil if
  /// no safe change exists.
  func text(_ text: String, with database: Configuration.Database) throws -> String? {
    let before = try edit.parse(text)
    guard before.database != database else { return text }
    let root = try Configuration.compose(text, path: edit.path)
    let section = DatabaseSection(text: text, root: root?.mapping)
    guard let changed = section.replaced(by: Self.lines(database)) else { return nil }
    do {
      let after = try edit.parse(changed)
      // The data directory is beside a SQLite database, unless the file names it.
      return after.database == database && after.server == before.server ? changed : nil
    } catch is ConfigurationError {
      return nil
    }
  }
}

/// The section `database` of a file.
private struct DatabaseSection {
  let text: String
  let root: Node.Mapping?

  /// Returns the text with these lines as the section's settings, or with a new section; nil if it
  /// has another form than one setting a line, or all in one line.
  func replaced(by lines: [String]) -> String? {
    guard let root else { return nil }
    guard let (key, value) = root.first(where: { $0.key.scalar?.string == "database" }) else {
      guard !isInBraces(root) else { return nil }
      let lineBreak = MarkedText(text).lineBreak
      let section = ["database:"] + lines.map { "  " + $0 }
      return text + (text.hasSuffix(lineBreak) ? "" : lineBreak)
        + section.map { $0 + lineBreak }.joined()
    }
    guard let settings = value.mapping, let mark = key.mark else { return nil }
    let marks = settings.compactMap(\.key.mark)
    if isInBraces(settings) {
      guard marks.allSatisfy({ $0.line == mark.line }) else { return nil }
      return replacing([mark], by: ["database:"] + lines.map { "  " + $0 }, inBraces: true)
    }
    guard let first = marks.first, marks.allSatisfy({ $0.column == first.column }) else {
      return nil
    }
    let indent = String(repeating: " ", count: first.column - 1)
    return replacing(marks, by: lines.map { indent + $0 }, inBraces: false)
  }

  private func isInBraces(_ mapping: Node.Mapping) -> Bool {
    guard let place = mapping.mark.flatMap(MarkedText(text).index), place < text.endIndex else {
      return false
    }
    return text.unicodeScalars[place] == "{"
  }

  /// Returns the text with these lines in place of the first marked one, and without the others.
  private func replacing(_ marks: [Mark], by lines: [String], inBraces: Bool) -> String? {
    var changed = text
    for (number, mark) in marks.enumerated().reversed() {
      let marked = MarkedText(changed)
      guard let start = marked.lineStart(mark) else { return nil }
      let end = marked.lineAfter(mark) ?? changed.endIndex
      // A comment in the same line would be lost.
      guard !inBraces || changed[start..<end].last(where: { !$0.isWhitespace }) == "}" else {
        return nil
      }
      let new = lines.map { $0 + marked.lineBreak }.joined()
      changed = marked.replacing(start..<end, with: number == 0 ? new : "")
    }
    return changed
  }
}
