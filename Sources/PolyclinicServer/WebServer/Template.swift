/// A text with placeholders such as `{{host}}`.
///
/// A placeholder within a line takes a value of one line. A placeholder alone on its line takes any
/// number of lines, which get its indentation; an empty value removes the line. Lines that begin
/// with `##` explain the template, and are left out.
struct Template {
  private let lines: [Substring]

  init(_ file: [UInt8]) {
    lines = String(decoding: file, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " }.hasPrefix("##") }
  }

  /// Returns the text with the value of each placeholder. A value may contain anything, because it
  /// is not searched for placeholders.
  ///
  /// Throws ``TemplateError`` for a placeholder without a value, and for a value without a
  /// placeholder.
  func filled(_ values: [String: any CustomStringConvertible]) throws -> String {
    var unused = Set(values.keys)
    func value(_ name: Substring) throws -> String {
      guard let value = values[String(name)] else {
        throw TemplateError("The placeholder \(name) has no value.")
      }
      unused.remove(String(name))
      return value.description
    }
    let filled = try lines.flatMap { line -> [String] in
      if let block = line.wholeMatch(of: /( *)\{\{([^{}]*)\}\}/) {
        return Self.lines(of: try value(block.2), indentation: block.1)
      }
      let text = try line.replacing(/\{\{([^{}]*)\}\}/) { placeholder in
        let value = try value(placeholder.1)
        guard !value.contains(where: \.isNewline) else {
          throw TemplateError("The value of \(placeholder.1) has more than one line.")
        }
        return value
      }
      return [String(text)]
    }
    guard unused.isEmpty else {
      throw TemplateError("No placeholder is called \(unused.sorted().joined(separator: ", ")).")
    }
    return filled.joined(separator: "\n")
  }

  private static func lines(of value: String, indentation: Substring) -> [String] {
    var lines = value.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { $0.isEmpty ? "" : "\(indentation)\($0)" }
  }
}

/// A template and values that do not match. It is a mistake in the program.
struct TemplateError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The rules for a path between quotation marks in the configuration of another program.
struct PathSyntax {
  let program: String
  /// The characters with a meaning of their own between quotation marks.
  let reserved: String

  static let nginx = PathSyntax(program: "nginx", reserved: "$\"\\{}")
  /// The syntax of systemd.syntax(7) and systemd.unit(5), with the specifiers that begin with `%`.
  static let systemd = PathSyntax(program: "systemd", reserved: "%$\"'\\")

  /// Returns the path. Throws ``ConfigurationError`` if it contains a control character or a
  /// reserved one.
  func checked(_ path: String) throws -> String {
    let isRefused = path.unicodeScalars.contains {
      reserved.unicodeScalars.contains($0) || $0.value < 0x20
    }
    guard !isRefused else {
      throw ConfigurationError(
        path,
        "holds a character that \(program) gives a meaning of its own; choose another path")
    }
    return path
  }
}
