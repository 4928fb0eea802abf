import PolyclinicCore
import Yams

/// Collects the problems of a configuration, so that all are reported together.
final class ConfigurationProblems {
  let source: String
  private(set) var all: [ConfigurationProblem] = []

  init(source: String) { self.source = source }

  func add(_ key: String, at mark: Mark?, _ message: String) {
    let place = mark.map { ConfigurationProblem.Place(line: $0.line, column: $0.column) }
    all.append(ConfigurationProblem(source: source, place: place, key: key, message: message))
  }

  /// Adds a problem of an environment variable, which has no line.
  func add(variable: String, _ message: String) {
    all.append(ConfigurationProblem(source: variable, place: nil, key: "", message: message))
  }
}

/// A mapping with known keys. It reads values by type, and reports unknown keys.
struct ConfigurationSection {
  /// The path of keys to this section; empty for the file itself.
  let path: String
  let mark: Mark?
  private let values: [String: Node]
  private let problems: ConfigurationProblems

  /// Reports every key that is missing from `known`. `what` is the noun for a key in that message.
  init(
    _ node: Node?, path: String, known: [String], what: String = "key",
    problems: ConfigurationProblems
  ) {
    let known = known.sorted()
    self.path = path
    self.problems = problems
    mark = node?.mark
    var values: [String: Node] = [:]
    for (key, value) in Self.pairs(node, path: path, problems: problems) {
      let name = key.scalar?.string ?? ""
      guard known.contains(name) else {
        let message = "unknown \(what).\(Suggestion(for: name, among: known).sentence)"
        problems.add(Self.join(path, name.isEmpty ? "?" : name), at: key.mark, message)
        continue
      }
      values[name] = value
    }
    self.values = values
  }

  /// Returns the entries of a mapping with arbitrary keys. Reports any other node and returns none.
  static func pairs(
    _ node: Node?, path: String, problems: ConfigurationProblems
  ) -> [(key: Node, value: Node)] {
    guard let node, !isNull(node) else { return [] }
    guard let mapping = node.mapping else {
      problems.add(path, at: node.mark, "must be a mapping of keys to values")
      return []
    }
    return mapping.map { ($0.key, $0.value) }
  }

  static func join(_ path: String, _ key: String) -> String {
    path.isEmpty ? key : "\(path).\(key)"
  }

  /// The value of the key; nil if it is missing or empty.
  subscript(_ key: String) -> Node? {
    values[key].flatMap { Self.isNull($0) ? nil : $0 }
  }

  func has(_ key: String) -> Bool { values[key] != nil }

  func section(_ key: String, known: [String], what: String = "key") -> ConfigurationSection {
    ConfigurationSection(
      self[key], path: Self.join(path, key), known: known, what: what, problems: problems)
  }

  /// Reports a problem at the key's value, or at the section if the key is missing.
  func refuse(_ key: String, _ message: String) {
    problems.add(Self.join(path, key), at: values[key]?.mark ?? mark, message)
  }

  func text(_ key: String, limit: Int = 500) -> String? {
    guard case .text(let text) = value(key, .text(limit: limit)) else { return nil }
    return text
  }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard case .integer(let number) = value(key, .integer(range)) else { return nil }
    return number
  }

  func boolean(_ key: String) -> Bool? {
    guard case .boolean(let flag) = value(key, .boolean) else { return nil }
    return flag
  }

  /// Returns the key's value if its kind accepts it; otherwise reports it and returns nil.
  func value(_ key: String, _ kind: Setting.Kind) -> Setting.Value? {
    guard has(key) else { return nil }
    guard let node = values[key], let value = Self.read(node, as: kind), kind.accepts(value) else {
      refuse(key, refusal(key, kind))
      return nil
    }
    return value
  }

  private func refusal(_ key: String, _ kind: Setting.Kind) -> String {
    var expected = "must be \(kind.expectation)"
    if let node = self[key], node.scalar != nil, node.tag != Tag(.str), kind.isWritten {
      expected += "; put it in quotes"
    }
    guard case .choice(let words) = kind, let word = self[key]?.scalar?.string,
      let nearest = Suggestion(for: word, among: words).nearest
    else { return expected }
    return "\(expected). Did you mean \"\(nearest)\"?"
  }

  /// Uses YAML's types: a plain `12` is no text, and a quoted `"12"` is no number.
  private static func read(_ node: Node, as kind: Setting.Kind) -> Setting.Value? {
    guard let scalar = node.scalar else { return nil }
    switch kind {
    case .integer: return node.tag == Tag(.int) ? node.int.map(Setting.Value.integer) : nil
    case .boolean: return node.tag == Tag(.bool) ? node.bool.map(Setting.Value.boolean) : nil
    case .text, .choice, .url: return node.tag == Tag(.str) ? .text(scalar.string) : nil
    }
  }

  private static func isNull(_ node: Node) -> Bool { node.tag == Tag(.null) }
}

extension Setting.Kind {
  /// True if YAML writes values of this kind as strings.
  fileprivate var isWritten: Bool {
    switch self {
    case .integer, .boolean: false
    case .text, .choice, .url: true
    }
  }
}
