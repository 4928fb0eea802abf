import PolyclinicCore

/// The part of a list that a program asks for, by `limit` and `cursor`.
struct ListRange {
  /// The number of entries where nothing is said, and the largest.
  static let limits = (usual: 50, most: 200)

  /// The entries begin behind this one: a record's number, or a place in the list.
  let after: Int64
  let limit: Int

  /// Throws ``APIRefusal/parameter(_:)`` for anything else in the query, and for a value that is neither.
  init(_ query: Fields) throws {
    for pair in query.pairs where pair.name != "limit" && pair.name != "cursor" {
      throw APIRefusal.parameter(String(pair.name.prefix(100)))
    }
    limit = try Self.limit(in: query)
    after = try Self.number(in: query)
  }

  /// Nobody reads meaning into this text: the next request brings it back.
  static func cursor(after number: Int64) -> String {
    Base64.url.text(Array("after:\(number)".utf8))
  }

  /// The answer; `next` is the cursor of the part behind it, nil at the end.
  static func json(_ items: [JSON], next: String?) -> JSON {
    ["items": .array(items), "next": next.map { .string($0) } ?? .null]
  }

  private static func limit(in query: Fields) throws -> Int {
    guard query.contains("limit") else { return limits.usual }
    let text = query["limit"]
    guard query.all("limit").count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
      throw APIRefusal.parameter("limit")
    }
    // Digits that are no number are more than any.
    let number = Int(text) ?? .max
    guard number > 0 else { throw APIRefusal.parameter("limit") }
    return min(number, limits.most)
  }

  private static func number(in query: Fields) throws -> Int64 {
    guard query.contains("cursor") else { return 0 }
    let text = Base64.url.decoded(query["cursor"].utf8).flatMap { IncomingText($0).text }
    guard query.all("cursor").count == 1, let text, text.hasPrefix("after:"),
      let id = ID<ResourceRecord>(String(text.dropFirst(6)))
    else { throw APIRefusal.parameter("cursor") }
    return id.rawValue
  }
}
