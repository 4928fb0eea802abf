extension Sealed {
  /// The fields and choices of a stored record that another release wrote and this release does not
  /// know. They are kept, so that saving the record again does not lose them.
  public struct UnknownFields: Sendable, Equatable {
    var items: [Item] = []

    struct Item: Sendable, Equatable {
      let name: String
      let value: [UInt8]
    }

    /// Creates an empty collection, as in every new draft.
    public init() {}

    @usableFromInline
    mutating func append(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
      items.append(Item(name: String(decoding: name, as: UTF8.self), value: Array(value)))
    }
  }
}

/// A draft that can be stored and keeps the fields that other releases stored in it.
public protocol Resealable: Sendable {
  /// The unknown fields: read by ``SealedColumn/open(_:row:by:)`` and written back by
  /// ``SealedColumn/seal(_:row:by:)``. Other code must not change them.
  var unknown: Sealed.UnknownFields { get set }
}

/// The stored format of a draft: a version byte, then the name and the value of each field, each
/// prefixed with its length. A missing field takes the value of the blank draft. No rules are
/// applied.
extension Form {
  @usableFromInline static var version: UInt8 { 1 }

  /// Returns the encoded draft.
  func encoded(_ draft: Draft) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.write(Self.version)
    var rest = unknown.map { draft[keyPath: $0].items } ?? []
    for leaf in leaves {
      switch leaf {
      case .single(let single):
        let name = single.control.name
        let text = single.text(draft)
        // A choice from another release is kept until the user selects a different one.
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
        bytes.write(Field<Draft>.Rows.joined(rows.encode(draft)))
      case .group: break
      }
    }
    for item in rest {
      bytes.write(item.name)
      bytes.write(item.value)
    }
    return bytes.bytes
  }

  /// Returns the decoded draft, written by this release or another. Throws ``DecodingFailure`` if
  /// the bytes are not a draft.
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

  /// Returns the index of a stored field. Checks `expected` first, because fields are usually
  /// stored in order.
  @inlinable
  func index(of name: ArraySlice<UInt8>, expected: Int) -> Int? {
    if expected < stored.count, name.elementsEqual(stored[expected].name) { return expected }
    return stored.firstIndex { name.elementsEqual($0.name) }
  }

  /// Returns the draft as a JSON object, with the field names of the page.
  public func json(_ draft: Draft) -> JSON {
    var members: [JSON.Member] = []
    members.reserveCapacity(leaves.count)
    // By index, because iterating a generic array looks up the metadata of its types at each step,
    // and a list in the API passes here for each field of each record.
    for index in leaves.indices {
      switch leaves[index] {
      case .single(let single):
        if !single.control.isPassword {
          members.append(JSON.Member(single.control.name, single.json(draft)))
        }
      case .rows(let rows): members.append(JSON.Member(rows.membersName, rows.json(draft)))
      case .group: break
      }
    }
    return .object(members)
  }

  /// Returns a hash of the draft (FNV-1a, 64 bits), for detecting changes. Two different drafts
  /// almost never have the same hash.
  public func fingerprint(_ draft: Draft) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in encoded(draft) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

/// The name of a stored field, and the function that reads its value into a draft.
@usableFromInline
struct StoredField<Draft: Sendable>: Sendable {
  @usableFromInline let name: [UInt8]
  /// Reads the value into the draft. Returns false if this release does not know the value.
  @usableFromInline let take: @Sendable (inout Draft, ArraySlice<UInt8>) throws -> Bool

  /// Creates the stored form of a field or rows; nil for a group, whose fields are stored
  /// individually.
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
        try decode(&draft, Field<Draft>.Rows.split(value))
        return true
      }
    case .group: return nil
    }
  }
}
