/// A statement, or a part of one. Interpolated values are bound and never become text.
///
/// - There is no initializer from `String`, so that user input cannot be taken for SQL.
/// - One text serves every engine. Placeholders become `$1`, `$2`, … in order of appearance, and
///   words that differ between engines are written as ``Word``.
public struct SQL: Sendable, ExpressibleByStringInterpolation {
  /// A bound value.
  public enum Value: Sendable, Hashable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case text(String)
    /// A byte string.
    case bytes([UInt8])
  }

  /// A word that the engines spell differently.
  public enum Word: Sendable, Hashable {
    /// The type of a primary key that counts up and never reuses an id.
    case identity
    /// As ``identity``, for a table into which many people write at the same time. Each session of
    /// PostgreSQL takes a block of numbers, so that a row and the rows that refer to it conflict
    /// with few others. The numbers do not say which row is older: sort by a time.
    case scatteredIdentity
    /// The type of a 64-bit integer.
    case integer
    /// The type of a 64-bit floating-point number.
    case real
    /// The type of a byte string.
    case bytes
    /// The option of a table that refuses values of a wrong type.
    case strict
    /// The option of a table that is ``strict`` and whose rows lie in the order of its primary key.
    case strictByKey
    /// A reference to the person who owns the row. The row is deleted when the person is erased.
    case person
    /// A reference to a person who took part. It becomes NULL when that person is erased.
    case actor
  }

  enum Piece: Sendable {
    case literal(StaticString)
    case value(Value)
    case word(Word)
    /// A part that the engines spell differently.
    case spelled(sqlite: StaticString, postgresql: StaticString)
    /// A name from the schema.
    case name(String)
  }

  private(set) var pieces: [Piece]
  /// The number of bytes of all bound sealed values.
  let sealedByteCount: Int
  /// The number of bound sealed values.
  let sealedCount: Int

  /// Creates a statement without values.
  public init(stringLiteral value: StaticString) {
    pieces = [.literal(value)]
    sealedByteCount = 0
    sealedCount = 0
  }

  /// Creates `SELECT count(*)` for a table that the schema itself names. Meant for tests and
  /// integrity checks.
  package init(countingRowsOf table: String) {
    self = "SELECT count(*) FROM \(schemaName: table)"
  }

  /// Creates a statement with the interpolated values.
  public init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.pieces
    sealedByteCount = stringInterpolation.sealedByteCount
    sealedCount = stringInterpolation.sealedCount
  }

  /// Joins parts by commas.
  init(joining parts: [SQL]) {
    pieces = Array(parts.map(\.pieces).joined(separator: [.literal(", ")]))
    sealedByteCount = parts.reduce(0) { $0 + $1.sealedByteCount }
    sealedCount = parts.reduce(0) { $0 + $1.sealedCount }
  }

  /// Returns the text with `$n` placeholders as the engine spells it, and the values in order.
  package func rendered(_ dialect: Dialect) -> (text: String, values: [Value]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    var values: [Value] = []
    for piece in pieces {
      switch piece {
      case .literal(let text): bytes.append(text)
      case .word(let word): bytes.append(word.spelling(in: dialect))
      case .spelled(let sqlite, let postgresql):
        bytes.append(dialect == .sqlite ? sqlite : postgresql)
      case .name(let name): bytes.append(contentsOf: name.utf8.filter { $0 != UInt8(ascii: "\"") })
      case .value(let value):
        values.append(value)
        bytes.append(UInt8(ascii: "$"))
        bytes.append(decimal: Int64(values.count))
      }
    }
    return (String(decoding: bytes, as: UTF8.self), values)
  }

  /// The bound values, in order.
  package var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(pieces.count / 2 + 1)
    for case .value(let value) in pieces { values.append(value) }
    return values
  }

  /// The same text without bound values, which can be cached for any length of time.
  package var withoutValues: SQL {
    var text = self
    text.pieces = pieces.map { if case .value = $0 { .value(.null) } else { $0 } }
    return text
  }

  /// A number that is the same for statements from the same place in the source.
  package var origin: Int {
    pieces.reduce(pieces.count) { number, piece in
      let text: StaticString
      switch piece {
      case .literal(let literal): text = literal
      case .spelled(let sqlite, _): text = sqlite
      case .value, .word, .name: return number
      }
      guard text.hasPointerRepresentation else { return number }
      return number &* 31 &+ Int(bitPattern: text.utf8Start)
    }
  }

  /// Returns true if both statements have their text from the same memory. False does not mean
  /// different texts, because the same text may occur at two places in the source.
  package func isSpelled(like other: SQL) -> Bool {
    pieces.count == other.pieces.count && zip(pieces, other.pieces).allSatisfy(Self.isSameText)
  }

  private static func isSameText(_ one: Piece, _ other: Piece) -> Bool {
    switch (one, other) {
    case (.literal(let one), .literal(let other)), (.spelled(let one, _), .spelled(let other, _)):
      one.hasPointerRepresentation && other.hasPointerRepresentation
        && one.utf8Start == other.utf8Start && one.utf8CodeUnitCount == other.utf8CodeUnitCount
    case (.value, .value): true
    case (.word(let one), .word(let other)): one == other
    case (.name(let one), .name(let other)): one == other
    default: false
    }
  }

  /// Collects literals and bound values.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var pieces: [Piece] = []
    var sealedByteCount = 0
    var sealedCount = 0

    /// Creates an empty interpolation. Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Appends a literal part of the statement.
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { pieces.append(.literal(literal)) }
    }

    @usableFromInline
    mutating func bind(_ value: Value) { pieces.append(.value(value)) }

    /// Binds a value.
    @inlinable
    public mutating func appendInterpolation<Bound: SQL.Storable>(_ value: Bound) {
      bind(value.sqlValue)
    }
    /// Binds a value or NULL.
    @inlinable
    public mutating func appendInterpolation<Bound: SQL.Storable>(_ value: Bound?) {
      bind(value?.sqlValue ?? .null)
    }
    /// Binds sealed bytes.
    public mutating func appendInterpolation(_ value: Sealed) {
      bind(.bytes(value.bytes))
      sealedByteCount += value.bytes.count
      sealedCount += 1
    }
    /// Binds sealed bytes, or NULL.
    public mutating func appendInterpolation(_ value: Sealed?) {
      bind(value.map { .bytes($0.bytes) } ?? .null)
      sealedByteCount += value?.bytes.count ?? 0
      sealedCount += value == nil ? 0 : 1
    }
    /// Appends the engine's spelling of a word.
    public mutating func appendInterpolation(_ word: Word) { pieces.append(.word(word)) }
    /// Appends a part that the engines spell differently.
    public mutating func appendInterpolation(sqlite: StaticString, postgresql: StaticString) {
      pieces.append(.spelled(sqlite: sqlite, postgresql: postgresql))
    }
    /// Appends a part of a statement.
    public mutating func appendInterpolation(_ part: SQL) {
      pieces += part.pieces
      sealedByteCount += part.sealedByteCount
      sealedCount += part.sealedCount
    }
    /// Appends the quoted name of a table or column that the schema itself has given.
    package mutating func appendInterpolation(schemaName name: String) {
      pieces += [.literal("\""), .name(name), .literal("\"")]
    }

    /// Binds a list of values for `IN`, such as `WHERE id IN \(list: ids)`. An empty list matches
    /// nothing.
    ///
    /// The list is padded to a power of two, so that few distinct statements are prepared.
    public mutating func appendInterpolation(list values: [some SQL.Storable]) {
      guard let last = values.last else { return pieces.append(.literal("(NULL)")) }
      var size = 1
      while size < values.count { size *= 2 }
      pieces.append(.literal("("))
      for index in 0..<size {
        if index > 0 { pieces.append(.literal(",")) }
        bind((index < values.count ? values[index] : last).sqlValue)
      }
      pieces.append(.literal(")"))
    }
  }
}
