/// One value that an administrator may give a module in the configuration file.
///
/// Its key stands in the module's own section: `Setting("slot_minutes", .integer(5...120), default: 10)`
/// is read from `modules.appointments.slot_minutes`.
public struct Setting: Sendable {
  /// Lower-case words joined by underscores; `enabled` is taken by the portal.
  public let key: String
  /// Which values it takes.
  public let kind: Kind
  /// The value where the file is silent: one that the ``kind`` accepts.
  public let defaultValue: SettingValue

  /// `default` holds where the file says nothing.
  public init(_ key: StaticString, _ kind: Kind, default defaultValue: SettingValue) {
    self.key = key.description
    self.kind = kind
    self.defaultValue = defaultValue
  }

  /// Which values a setting takes.
  public enum Kind: Sendable, Hashable {
    /// A whole number within these bounds.
    case integer(ClosedRange<Int>)
    /// `true` or `false`.
    case boolean
    /// At most so many characters.
    case text(limit: Int)
    /// One of these words.
    case choice([String])
    /// An `https` address, or `http` on this machine, without name and password.
    case url
  }

  /// The mistake in the key or the default, for the sentence with which the installation refuses the
  /// setting; nil for a sound one.
  package var problem: String? {
    guard isKeySound else {
      return
        "the setting “\(key)”: a key is lower-case words joined by underscores, and not “enabled”"
    }
    if kind.accepts(defaultValue) { return nil }
    return "the setting “\(key)” with the default \(defaultValue), which is not \(kind.expectation)"
  }

  private var isKeySound: Bool {
    key != "enabled" && !key.isEmpty
      && key.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
      }
  }
}

extension SettingValue: CustomStringConvertible {
  /// The value as the configuration file would have it.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .text(let text): "“\(text)”"
    }
  }
}

extension Setting.Kind {
  /// Whether the value is of this kind and within its bounds.
  public func accepts(_ value: SettingValue) -> Bool {
    switch (self, value) {
    case (.integer(let range), .integer(let number)): range.contains(number)
    case (.boolean, .boolean): true
    case (.text(let limit), .text(let text)): text.count <= limit
    case (.choice(let words), .text(let word)): words.contains(word)
    case (.url, .text(let text)): Self.isAddress(text)
    default: false
    }
  }

  /// What it takes, for the sentence that refuses a value: "an integer from 5 to 120".
  public var expectation: String {
    switch self {
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .text(let limit): "a text of at most \(limit) characters"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .url: "an https address without name and password"
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    let local = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
    let rest: Substring
    if text.hasPrefix("https://") {
      rest = text.dropFirst("https://".count)
    } else if let prefix = local.first(where: text.hasPrefix) {
      let after = text.dropFirst(prefix.count)
      guard after.first.map({ ":/?".contains($0) }) ?? true else { return false }
      rest = text.dropFirst("http://".count)
    } else {
      return false
    }
    let host = rest.prefix { !"/?#".contains($0) }
    return !host.isEmpty && !host.contains("@")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }
}

/// The value of a setting, as the file or the module's default gives it.
public enum SettingValue: Sendable, Hashable, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  case integer(Int)
  case boolean(Bool)
  case text(String)

  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A text, a word or an address.
  public init(stringLiteral value: String) { self = .text(value) }
}

/// A module's settings as they are in force: those of the file, and its defaults for the rest.
public struct Settings: Sendable, Hashable {
  private let values: [String: SettingValue]

  /// Values that were not declared are left out, and those that a setting does not accept give way
  /// to its default: the configuration refuses both before.
  public init(_ declared: [Setting], given: [String: SettingValue] = [:]) {
    var values: [String: SettingValue] = [:]
    for setting in declared {
      let value = given[setting.key].flatMap { setting.kind.accepts($0) ? $0 : nil }
      values[setting.key] = value ?? setting.defaultValue
    }
    self.values = values
  }

  /// The value in force; nil for a key that the module does not declare.
  public subscript(_ key: String) -> SettingValue? { values[key] }

  /// The keys of all declared settings, in alphabetical order.
  public var keys: [String] { values.keys.sorted() }

  /// An integer setting; throws ``UndeclaredSetting`` when there is none of that key.
  public func integer(_ key: String) throws -> Int {
    guard case .integer(let value) = values[key] else { throw UndeclaredSetting(key: key) }
    return value
  }

  /// A boolean setting; throws ``UndeclaredSetting`` when there is none of that key.
  public func boolean(_ key: String) throws -> Bool {
    guard case .boolean(let value) = values[key] else { throw UndeclaredSetting(key: key) }
    return value
  }

  /// A text, choice or address; throws ``UndeclaredSetting`` when there is none of that key.
  public func text(_ key: String) throws -> String {
    guard case .text(let value) = values[key] else { throw UndeclaredSetting(key: key) }
    return value
  }
}

/// A module asked for a setting that it does not declare, or declares of another kind.
public struct UndeclaredSetting: Error, Sendable, CustomStringConvertible {
  /// The key that was asked for.
  public let key: String

  /// Names the key that was asked for.
  public init(key: String) { self.key = key }

  /// A sentence for the module's author.
  public var description: String { "no setting \"\(key)\" of this kind is declared" }
}
