import PolyclinicCore
import PolyclinicSystem

/// The page of a list that a client requests with `limit` and `cursor`.
struct ListRange {
  /// The default and the largest number of entries on a page.
  static let limits = (usual: 50, most: 200)

  /// The page begins after this record number, or after this position of the list.
  let after: Int64
  let limit: Int

  /// Throws ``APIRefusal/parameter(_:)`` for an invalid value or any other query parameter.
  init(_ query: Fields) throws {
    for pair in query.pairs where pair.name != "limit" && pair.name != "cursor" {
      throw APIRefusal.parameter(String(pair.name.prefix(100)))
    }
    limit = try Self.limit(in: query)
    after = try Self.number(in: query)
  }

  /// Returns an opaque cursor, which the client sends back in its next request.
  static func cursor(after number: Int64) -> String {
    Base64.url.text(Array("after:\(number)".utf8))
  }

  /// Returns the answer; `next` is the cursor of the next page, nil on the last.
  static func json(_ items: [JSON], next: String?) -> JSON {
    ["items": .array(items), "next": next.map { .string($0) } ?? .null]
  }

  private static func limit(in query: Fields) throws -> Int {
    guard query.contains("limit") else { return limits.usual }
    let text = query["limit"]
    guard query.all("limit").count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
      throw APIRefusal.parameter("limit")
    }
    // A number that overflows is above the largest limit.
    let number = Int(text) ?? .max
    guard number > 0 else { throw APIRefusal.parameter("limit") }
    return min(number, limits.most)
  }

  private static func number(in query: Fields) throws -> Int64 {
    guard query.contains("cursor") else { return 0 }
    let text = Base64.url.decoded(query["cursor"]).flatMap { IncomingText($0).text }
    guard query.all("cursor").count == 1, let text, text.hasPrefix("after:"),
      let id = ID<ResourceRecord>(String(text.dropFirst(6)))
    else { throw APIRefusal.parameter("cursor") }
    return id.rawValue
  }
}
