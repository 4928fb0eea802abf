/// The writer of Prometheus' text format 0.0.4.
struct Exposition {
  static let contentType: StaticString = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String {
    case counter, gauge, histogram
  }

  typealias Labels = [(name: String, value: String)]

  private(set) var text = ""
  private var name = ""

  /// Begins a metric family. All samples up to the next call belong to it.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    self.name = "polyclinic_\(name)"
    text += "# HELP \(self.name) \(help)\n# TYPE \(self.name) \(kind.rawValue)\n"
  }

  mutating func add(_ value: UInt64, _ labels: Labels = [], suffix: String = "") {
    line(suffix, labels, "\(value)")
  }

  mutating func add(_ value: Double, _ labels: Labels = [], suffix: String = "") {
    line(suffix, labels, "\(value)")
  }

  private mutating func line(_ suffix: String, _ labels: Labels, _ value: String) {
    let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "\(name)\(suffix)\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
