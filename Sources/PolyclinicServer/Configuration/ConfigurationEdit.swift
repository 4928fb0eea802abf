import Glibc
import PolyclinicCore
import PolyclinicSystem
import Yams

/// Switches one module in the configuration file, and leaves every other byte unchanged.
package struct ConfigurationEdit {
  let path: String
  let modules: [Configuration.KnownModule]
  let environment: [String: String]

  /// The effect on the file.
  package enum Outcome: Equatable {
    case changed
    /// The file already had this value.
    case unchanged
    /// This user may not write the file, or a program cannot change it safely. The text instructs
    /// the administrator.
    case left(instruction: String)
  }

  /// Switches the module. Throws ``ConfigurationError`` if the file is invalid or does not know the
  /// module. Throws ``SystemError`` if it cannot be replaced.
  ///
  /// Missing rights are no error, but give ``Outcome/left(instruction:)``.
  func set(_ module: String, isEnabled: Bool) throws -> Outcome {
    do {
      return try TextFile.change(path) {
        let text = try Configuration.text(of: path)
        guard let changed = try self.text(text, with: module, isEnabled: isEnabled) else {
          return .left(instruction: instruction(module, isEnabled))
        }
        guard changed != text else { return .unchanged }
        try TextFile.replace(changed, at: path)
        return .changed
      }
    } catch let error as SystemError where [EACCES, EPERM, EROFS].contains(error.code) {
      return .left(instruction: "\(error). \(instruction(module, isEnabled))")
    }
  }

  private func instruction(_ module: String, _ isEnabled: Bool) -> String {
    """
    In \(path), under "modules:", write

      \(module): { enabled: \(isEnabled) }

    keep the settings that stand there, and then run "polyclinic reload".
    """
  }

  /// Returns the changed text after parsing it, to verify that it changes only this module. Nil if
  /// no safe change exists.
  func text(_ text: String, with module: String, isEnabled: Bool) throws -> String? {
    guard let id = modules.map(\.id).first(where: { $0.rawValue == module }) else {
      let known = modules.map(\.id.rawValue).sorted()
      throw ConfigurationError(
        "modules.\(module)",
        "unknown module.\(Suggestion(for: module, among: known).sentence)")
    }
    let before = try parse(text)
    guard before.modules[id]?.isEnabled != isEnabled else { return text }
    let root = try Configuration.compose(text, path: path)
    let edit = ModuleEdit(text: MarkedText(text), root: root)
    guard let changed = edit.set(id, to: isEnabled) else { return nil }
    var expected = before.modules
    expected[id]?.isEnabled = isEnabled
    do {
      return try parse(changed).modules == expected ? changed : nil
    } catch is ConfigurationError {
      return nil
    }
  }

  func parse(_ text: String) throws -> Configuration {
    try Configuration.parse(text, path: path, modules: modules, environment: environment)
  }
}

/// Finds the word to change, or the position of a new line, in the tree of the file.
private struct ModuleEdit {
  let text: MarkedText
  let root: Node?

  func set(_ id: ModuleID, to isEnabled: Bool) -> String? {
    let modules = root?.mapping?["modules"]
    guard let state = modules?.mapping?[id.rawValue] else {
      return insert("\(id): { enabled: \(isEnabled) }", into: modules)
    }
    guard let word = state.mapping?["enabled"]?.scalar, let mark = word.mark,
      let start = text.index(of: mark),
      text.text.unicodeScalars[start...].starts(with: word.string.unicodeScalars)
    else { return nil }
    let end = text.text.unicodeScalars.index(
      start, offsetBy: word.string.unicodeScalars.count)
    return text.replacing(start..<end, with: String(isEnabled))
  }

  private func insert(_ line: String, into modules: Node?) -> String? {
    let key = root?.mapping?.first { $0.key.scalar?.string == "modules" }?.key
    guard let key else { return insertSection(line) }
    if let mapping = modules?.mapping {
      if let flow = insert(line, intoFlow: mapping) { return flow }
      guard let first = mapping.first?.key.mark else { return nil }
      return insert(line, after: key, indent: first.column - 1)
    }
    return insert(line, after: key, indent: (key.mark?.column ?? 1) + 1)
  }

  /// Inserts a separate line directly below a key, above the comments of the next one.
  private func insert(_ line: String, after key: Node, indent: Int) -> String? {
    guard let mark = key.mark else { return nil }
    let line = String(repeating: " ", count: indent) + line
    if let start = text.lineAfter(mark) {
      return text.replacing(start..<start, with: line + text.lineBreak)
    }
    let end = text.text.endIndex
    return text.replacing(end..<end, with: text.lineBreak + line + text.lineBreak)
  }

  /// Inserts an entry after the opening brace; returns nil if there is no brace.
  private func insert(_ entry: String, intoFlow mapping: Node.Mapping) -> String? {
    guard let mark = mapping.mark, let brace = text.index(of: mark), brace < text.text.endIndex,
      text.text.unicodeScalars[brace] == "{"
    else { return nil }
    let place = text.text.unicodeScalars.index(after: brace)
    return text.replacing(place..<place, with: mapping.isEmpty ? " \(entry) " : " \(entry),")
  }

  private func insertSection(_ line: String) -> String? {
    if let mapping = root?.mapping,
      let flow = insert("modules: { \(line) }", intoFlow: mapping)
    {
      return flow
    }
    let end = text.text.endIndex
    let endsLine = text.text.isEmpty || text.text.hasSuffix(text.lineBreak)
    let section = "modules:\(text.lineBreak)  \(line)\(text.lineBreak)"
    return text.replacing(end..<end, with: (endsLine ? "" : text.lineBreak) + section)
  }
}
