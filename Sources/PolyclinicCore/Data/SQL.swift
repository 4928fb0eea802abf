/// A statement, or a part of one, whose interpolated values are bound and never become text.
///
/// There is no initializer from `String`: what a person typed cannot be taken for SQL.
/// One text serves every engine: placeholders become `$1`, `$2`, … in order of appearance, and the
/// words that differ between engines are written as ``Word``.
public struct SQL: Sendable, ExpressibleByStringInterpolation {
  /// A value that travels beside the text.
  public enum Value: Sendable, Equatable {
    /// No value.
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

  /// What the engines spell differently.
  public enum Word: Sendable, Hashable {
    /// The type of a primary key that counts up and never gives an id twice.
    case identity
    /// The type of a 64-bit integer.
    case integer
    /// The type of a 64-bit floating-point number.
    case real
    /// The type of a byte string.
    case bytes
    /// What makes a table refuse values of a wrong type.
    case strict
    /// A column whose row is this person's data, and goes when the person is erased.
    case person
    /// A column for somebody who took part; it is emptied when that person is erased.
    case actor
  }

  enum Piece: Sendable {
    case literal(StaticString)
    case value(Value)
    case word(Word)
    /// A name from the schema.
    case name(String)
  }

  private(set) var pieces: [Piece]
  /// The bytes of all sealed values among those bound.
  let sealedByteCount: Int

  /// A statement without values.
  public init(stringLiteral value: StaticString) {
    pieces = [.literal(value)]
    sealedByteCount = 0
  }

  /// `SELECT count(*)` of a table that the schema itself has named: for tests and integrity checks.
  package init(countingRowsOf table: String) {
    self = "SELECT count(*) FROM \(schemaName: table)"
  }

  /// A statement with the values that were interpolated.
  public init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.pieces
    sealedByteCount = stringInterpolation.sealedByteCount
  }

  /// The text with `$n` placeholders, and the values in their order; `spell` gives an engine's words.
  public func rendered(_ spell: (Word) -> StaticString) -> (text: String, values: [Value]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    var values: [Value] = []
    for piece in pieces {
      switch piece {
      case .literal(let text): bytes.append(text)
      case .word(let word): bytes.append(spell(word))
      case .name(let name): bytes.append(contentsOf: name.utf8.filter { $0 != UInt8(ascii: "\"") })
      case .value(let value):
        values.append(value)
        bytes.append(UInt8(ascii: "$"))
        bytes.append(decimal: Int64(values.count))
      }
    }
    return (String(decoding: bytes, as: UTF8.self), values)
  }

  /// What was bound, in its order.
  package var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(pieces.count / 2 + 1)
    for case .value(let value) in pieces { values.append(value) }
    return values
  }

  /// The same text with nothing bound: it can be kept for as long as one likes.
  package var withoutValues: SQL {
    var text = self
    text.pieces = pieces.map { if case .value = $0 { .value(.null) } else { $0 } }
    return text
  }

  /// A number that is the same for statements from the same place in the source.
  package var origin: Int {
    pieces.reduce(pieces.count) { number, piece in
      guard case .literal(let text) = piece, text.hasPointerRepresentation else { return number }
      return number &* 31 &+ Int(bitPattern: text.utf8Start)
    }
  }

  /// Whether both have the same text: certain where it is so, since it lies in the same place; of the
  /// same text from two places in the source it is not known.
  package func isSpelled(like other: SQL) -> Bool {
    pieces.count == other.pieces.count && zip(pieces, other.pieces).allSatisfy(Self.isSameText)
  }

  private static func isSameText(_ one: Piece, _ other: Piece) -> Bool {
    switch (one, other) {
    case (.literal(let one), .literal(let other)):
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

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Appends a part of the statement as it stands in the source.
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { pieces.append(.literal(literal)) }
    }

    private mutating func bind(_ value: Value) { pieces.append(.value(value)) }

    /// Binds a text.
    public mutating func appendInterpolation(_ value: String) { bind(.text(value)) }
    /// Binds a text or NULL.
    public mutating func appendInterpolation(_ value: String?) {
      bind(value.map(Value.text) ?? .null)
    }
    /// Binds an integer.
    public mutating func appendInterpolation(_ value: Int) { bind(.integer(Int64(value))) }
    /// Binds a 64-bit integer.
    public mutating func appendInterpolation(_ value: Int64) { bind(.integer(value)) }
    /// Binds an integer or NULL.
    public mutating func appendInterpolation(_ value: Int?) {
      bind(value.map { .integer(Int64($0)) } ?? .null)
    }
    /// Binds a floating-point number.
    public mutating func appendInterpolation(_ value: Double) { bind(.real(value)) }
    /// Binds a floating-point number or NULL.
    public mutating func appendInterpolation(_ value: Double?) {
      bind(value.map(Value.real) ?? .null)
    }
    /// Binds 1 or 0: the engines' strict tables know no other truth.
    public mutating func appendInterpolation(_ value: Bool) { bind(.integer(value ? 1 : 0)) }
    /// Binds a byte string.
    public mutating func appendInterpolation(_ value: [UInt8]) { bind(.bytes(value)) }
    /// Binds what was sealed.
    public mutating func appendInterpolation(_ value: Sealed) {
      bind(.bytes(value.bytes))
      sealedByteCount += value.bytes.count
    }
    /// Binds what was sealed, or NULL.
    public mutating func appendInterpolation(_ value: Sealed?) {
      bind(value.map { .bytes($0.bytes) } ?? .null)
      sealedByteCount += value?.bytes.count ?? 0
    }
    /// Binds the number of a record.
    public mutating func appendInterpolation<Record>(_ value: ID<Record>) {
      bind(.integer(value.rawValue))
    }
    /// Binds the number of a record, or NULL.
    public mutating func appendInterpolation<Record>(_ value: ID<Record>?) {
      bind(value.map { .integer($0.rawValue) } ?? .null)
    }
    /// Binds the instant as Unix seconds.
    public mutating func appendInterpolation(_ value: Instant) { bind(.integer(value.seconds)) }
    /// Binds the instant as Unix seconds, or NULL.
    public mutating func appendInterpolation(_ value: Instant?) {
      bind(value.map { .integer($0.seconds) } ?? .null)
    }
    /// Binds the date as `YYYY-MM-DD`.
    public mutating func appendInterpolation(_ value: CalendarDate) {
      bind(.text(value.description))
    }
    /// Puts in what the engine calls this.
    public mutating func appendInterpolation(_ word: Word) { pieces.append(.word(word)) }
    /// Puts one statement's part into another.
    public mutating func appendInterpolation(_ part: SQL) {
      pieces += part.pieces
      sealedByteCount += part.sealedByteCount
    }
    /// Puts in the name of a table or column that the schema itself has given.
    package mutating func appendInterpolation(schemaName name: String) {
      pieces += [.literal("\""), .name(name), .literal("\"")]
    }

    /// Binds the ids of a list for `IN`, such as `WHERE id IN \(list: ids)`; an empty list matches nothing.
    ///
    /// The list is padded to a power of two, so that few distinct statements are prepared.
    public mutating func appendInterpolation<Record>(list ids: [ID<Record>]) {
      appendInterpolation(list: ids.map { Value.integer($0.rawValue) })
    }
    /// Binds the texts of a list for `IN`; an empty list matches nothing.
    public mutating func appendInterpolation(list texts: [String]) {
      appendInterpolation(list: texts.map(Value.text))
    }

    private mutating func appendInterpolation(list values: [Value]) {
      guard let last = values.last else { return pieces.append(.literal("(NULL)")) }
      var size = 1
      while size < values.count { size *= 2 }
      pieces.append(.literal("("))
      for index in 0..<size {
        if index > 0 { pieces.append(.literal(",")) }
        bind(index < values.count ? values[index] : last)
      }
      pieces.append(.literal(")"))
    }
  }
}
