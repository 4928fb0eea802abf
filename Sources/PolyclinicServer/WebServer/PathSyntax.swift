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
