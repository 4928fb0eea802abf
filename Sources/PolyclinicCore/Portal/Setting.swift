/// A value that an administrator can set for a module in the configuration file.
///
/// The key belongs to the module's own section:
/// `Setting("slot_minutes", .integer(5...120), default: 10)` is read from
/// `modules.appointments.slot_minutes`.
public struct Setting: Sendable {
  /// The key: lower-case words joined by underscores, except `enabled`, which the portal uses.
  public let key: String
  /// The type and bounds of the value.
  public let kind: Kind
  /// The value if the file contains none; the ``kind`` must accept it.
  public let defaultValue: Setting.Value

  /// Creates a setting with `default` as its value if the file contains none.
  public init(_ key: StaticString, _ kind: Kind, default defaultValue: Setting.Value) {
    self.key = key.description
    self.kind = kind
    self.defaultValue = defaultValue
  }

  /// The type and bounds of a setting's value.
  public enum Kind: Sendable, Hashable {
    /// A whole number in this range.
    case integer(ClosedRange<Int>)
    /// `true` or `false`.
    case boolean
    /// A text of at most `limit` characters.
    case text(limit: Int)
    /// One of these words.
    case choice([String])
    /// An `https` address, or `http` on this machine, without user name and password.
    case url
  }

  /// The error in the key or the default, as the sentence with which the installation refuses the
  /// setting; nil if both are valid.
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

extension Setting.Value: CustomStringConvertible {
  /// The value in the syntax of the configuration file.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .text(let text): "“\(text)”"
    }
  }
}

extension Setting.Kind {
  /// Returns true if the value has this type and is within the bounds.
  public func accepts(_ value: Setting.Value) -> Bool {
    switch (self, value) {
    case (.integer(let range), .integer(let number)): range.contains(number)
    case (.boolean, .boolean): true
    case (.text(let limit), .text(let text)): text.count <= limit
    case (.choice(let words), .text(let word)): words.contains(word)
    case (.url, .text(let text)): Self.isAddress(text)
    default: false
    }
  }

  /// The accepted values, for the sentence that refuses a value: "an integer from 5 to 120".
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

extension Setting {
  /// A setting's value, from the file or the module's default.
  public enum Value: Sendable, Hashable, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
  {
    case integer(Int)
    case boolean(Bool)
    case text(String)

    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates a text, a word or an address.
    public init(stringLiteral value: String) { self = .text(value) }
  }
}

extension Portal {
  /// A module's settings: the values of the file, and defaults for the rest.
  public struct Settings: Sendable, Hashable {
    private let values: [String: Setting.Value]

    /// Creates settings from declarations and the file's values.
    ///
    /// Undeclared values are ignored and values of the wrong kind are replaced by the default,
    /// because the configuration refuses both before.
    public init(_ declared: [Setting], given: [String: Setting.Value] = [:]) {
      var values: [String: Setting.Value] = [:]
      for setting in declared {
        let value = given[setting.key].flatMap { setting.kind.accepts($0) ? $0 : nil }
        values[setting.key] = value ?? setting.defaultValue
      }
      self.values = values
    }

    /// The setting's value; nil if the module does not declare the key.
    public subscript(_ key: String) -> Setting.Value? { values[key] }

    /// The keys of all declared settings, in alphabetical order.
    public var keys: [String] { values.keys.sorted() }

    /// Returns an integer setting; throws `UndeclaredSetting` if the module declares none with that
    /// key.
    public func integer(_ key: String) throws -> Int {
      guard case .integer(let value) = values[key] else { throw UndeclaredSetting(key: key) }
      return value
    }

    /// Returns a boolean setting; throws `UndeclaredSetting` if the module declares none with that
    /// key.
    public func boolean(_ key: String) throws -> Bool {
      guard case .boolean(let value) = values[key] else { throw UndeclaredSetting(key: key) }
      return value
    }

    /// Returns a text, choice or address; throws `UndeclaredSetting` if the module declares none
    /// with that key.
    public func text(_ key: String) throws -> String {
      guard case .text(let value) = values[key] else { throw UndeclaredSetting(key: key) }
      return value
    }
  }
}

/// An error: a module read a setting that it does not declare, or declares with another kind.
package struct UndeclaredSetting: Error, Sendable, CustomStringConvertible {
  /// The key of the setting.
  package let key: String

  /// Creates an error that names the key.
  package init(key: String) { self.key = key }

  /// A sentence for the module's author.
  package var description: String { "no setting \"\(key)\" of this kind is declared" }
}
