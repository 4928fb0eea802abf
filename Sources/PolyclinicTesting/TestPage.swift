import Testing

/// An answer of the portal.
public struct TestPage: Sendable {
  /// The status of the answer.
  public let status: Int
  /// Its header fields, in order.
  public let headers: [(name: String, value: String)]
  /// Its body as text.
  public let body: String
  /// True if the body came to its end; that of a download whose writing fails does not.
  public let isWhole: Bool

  /// The path that it redirects to; empty for any other answer.
  public var location: String { header("Location") ?? "" }

  /// The first header field of that name; nil where there is none.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// Returns true if the body has this text in it.
  public func contains(_ text: String) -> Bool { body.contains(text) }

  /// The hidden fields of the form that is sent to this path, in order.
  public func hidden(of path: String) -> [(String, String)] {
    let mark = "action=\"\(path)\""
    guard let form = body.range(of: mark) else { return [] }
    let rest = body[form.upperBound...]
    let end = rest.range(of: "</form>")?.lowerBound ?? rest.endIndex
    return rest[..<end].split(separator: "<input type=\"hidden\"").dropFirst().compactMap { input in
      guard let name = Self.attribute("name", in: input) else { return nil }
      return (name, Self.attribute("value", in: input) ?? "")
    }
  }

  private static func attribute(_ name: String, in tag: Substring) -> String? {
    guard let start = tag.range(of: "\(name)=\"") else { return nil }
    return String(tag[start.upperBound...].prefix { $0 != "\"" })
  }
}

extension TestPage: CustomStringConvertible, CustomTestStringConvertible {
  /// The status, where it leads, and the words of `<main>`: what a failing expectation prints.
  public var description: String {
    let lead = location.isEmpty ? "\(status)" : "\(status), leads to \(location)"
    return words.isEmpty ? lead : "\(lead): \(words)"
  }

  /// As ``description``.
  public var testDescription: String { description }

  /// The words of `<main>`, else the body as it is.
  private var words: String {
    guard let main = body.range(of: "<main") else { return body }
    let content = body[main.lowerBound...]
    let end = content.range(of: "</main>")?.lowerBound ?? content.endIndex
    let pieces = content[..<end].split(separator: "<").map { piece in
      piece.drop { $0 != ">" }.dropFirst()
    }
    return pieces.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
  }
}
