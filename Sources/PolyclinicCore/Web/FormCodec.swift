/// What a record held that this release does not know: fields and choices of another release,
/// kept so that resealing does not lose them.
public struct UnknownFields: Sendable, Equatable {
  var items: [Item] = []

  struct Item: Sendable, Equatable {
    let name: String
    let value: [UInt8]
  }

  /// Nothing unknown, as in every new draft.
  public init() {}

  @usableFromInline
  mutating func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    items.append(Item(name: String(decoding: name, as: UTF8.self), value: Array(value)))
  }
}

/// A draft that can be stored: it carries along what other releases stored in it.
public protocol Resealable: Sendable {
  /// Filled by ``Slot/open(_:row:by:)``, written back by ``Slot/seal(_:row:by:)``; not to be
  /// touched between.
  var unknown: UnknownFields { get set }
}

/// The stored form of a draft: a version, then a name and a value for each field, each preceded by
/// its length. A missing field takes the blank draft's value; no rule is applied.
extension Form {
  @usableFromInline static var version: UInt8 { 1 }

  /// The draft in bytes.
  func encoded(_ draft: Draft) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(Self.version)
    var rest = unknown.map { draft[keyPath: $0].items } ?? []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let name = single.control.name
        let text = single.text(draft)
        // A choice that this release does not know stays what it was until another is chosen.
        if let index = rest.firstIndex(where: { $0.name == name }) {
          let item = rest.remove(at: index)
          if text == single.text(blank) {
            bytes.write(name)
            bytes.write(item.value)
            continue
          }
        }
        bytes.write(name)
        bytes.write(text)
      case .rows(let rows):
        bytes.write(rows.name)
        var nested = ByteWriter()
        for row in rows.encode(draft) { nested.write(row) }
        bytes.write(nested.bytes)
      case .group: break
      }
    }
    for item in rest {
      bytes.write(item.name)
      bytes.write(item.value)
    }
    return bytes.bytes
  }

  /// The draft that was encoded, by this release or another; throws ``DecodingFailure`` if it is
  /// not one.
  @inlinable
  func decoded(_ bytes: [UInt8]) throws -> Draft {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw DecodingFailure() }
    var draft = blank
    var expected = 0
    while !reader.isAtEnd {
      let name = try reader.bytes()
      let value = try reader.bytes()
      if let index = index(of: name, expected: expected) {
        expected = index + 1
        if try stored[index].take(&draft, value) { continue }
      }
      if let unknown { draft[keyPath: unknown].append(name, value) }
    }
    return draft
  }

  /// Fields are stored in order: the one behind the last found is most often the next.
  @inlinable
  func index(of name: ArraySlice<UInt8>, expected: Int) -> Int? {
    if expected < stored.count, name.elementsEqual(stored[expected].name) { return expected }
    return stored.firstIndex { name.elementsEqual($0.name) }
  }

  /// The draft as a JSON object in the field names of the page.
  public func json(_ draft: Draft) -> JSON {
    .object(
      leaves.compactMap { leaf in
        switch leaf {
        case .single(let single):
          single.control.isPassword ? nil : JSON.Member(single.control.name, single.json(draft))
        case .rows(let rows): JSON.Member(rows.name + "s", rows.json(draft))
        case .group: nil
        }
      })
  }

  /// A number that differs, all but certainly, when anything in the draft differs (FNV-1a, 64 bits).
  public func fingerprint(_ draft: Draft) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in encoded(draft) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

/// What is stored of a field: its name, and how its value is taken into a draft.
@usableFromInline
struct StoredField<Draft: Sendable>: Sendable {
  @usableFromInline let name: [UInt8]
  /// False when this release does not know the value.
  @usableFromInline let take: @Sendable (inout Draft, ArraySlice<UInt8>) throws -> Bool

  /// Nil for a group, whose fields are stored by themselves.
  init?(_ leaf: Field<Draft>) {
    switch leaf {
    case .single(let single):
      let open = single.open
      name = Array(single.control.name.utf8)
      take = { draft, value in open(&draft, String(decoding: value, as: UTF8.self)) }
    case .rows(let rows):
      let decode = rows.decode
      name = Array(rows.name.utf8)
      take = { draft, value in
        var reader = ByteReader(value)
        var nested: [[UInt8]] = []
        while !reader.isAtEnd { nested.append(Array(try reader.bytes())) }
        try decode(&draft, nested)
        return true
      }
    case .group: return nil
    }
  }
}
