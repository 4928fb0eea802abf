/// nginx's own language.
enum Nginx {
  /// A path as one word; throws ``ConfigurationError`` for what nginx cannot be told literally.
  static func quoted(_ path: String) throws -> String {
    guard
      !path.unicodeScalars.contains(where: {
        "$\"\\{}".unicodeScalars.contains($0) || $0.value < 0x20
      })
    else {
      throw ConfigurationError(
        path, "holds a character that nginx gives a meaning of its own; choose another path")
    }
    return "\"\(path)\""
  }
}
