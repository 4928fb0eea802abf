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
  private static var version: UInt8 { 1 }

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

  /// The draft that was encoded, by this release or another; throws ``DecodingFailure`` for what is not one.
  func decoded(_ bytes: [UInt8]) throws -> Draft {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw DecodingFailure() }
    var draft = blank
    var expected = 0
    while !reader.isAtEnd {
      let name = try reader.string()
      let value = try reader.bytes()
      if let index = Self.index(of: name, in: leaves, expected: expected) {
        expected = index + 1
        if try leaves[index].take(value, into: &draft) { continue }
      }
      if let unknown {
        draft[keyPath: unknown].items.append(.init(name: name, value: Array(value)))
      }
    }
    return draft
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
  func fingerprint(_ draft: Draft) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in encoded(draft) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  /// Fields are stored in order: the one behind the last found is most often the next.
  private static func index(of name: String, in leaves: [Field<Draft>], expected: Int) -> Int? {
    if expected < leaves.count, leaves[expected].name == name { return expected }
    return leaves.firstIndex { $0.name == name }
  }
}

extension Field {
  fileprivate var name: String? {
    switch self {
    case .single(let single): single.control.name
    case .rows(let rows): rows.name
    case .group: nil
    }
  }

  /// Takes a stored value into the draft; false when this release does not know it.
  fileprivate func take(_ value: ArraySlice<UInt8>, into draft: inout Draft) throws -> Bool {
    switch self {
    case .single(let single): return single.open(&draft, String(decoding: value, as: UTF8.self))
    case .rows(let rows):
      var reader = ByteReader(value)
      var nested: [[UInt8]] = []
      while !reader.isAtEnd { nested.append(Array(try reader.bytes())) }
      try rows.decode(&draft, nested)
      return true
    case .group: return false
    }
  }
}
