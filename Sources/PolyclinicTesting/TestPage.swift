import Testing

/// A response of the portal.
public struct TestPage: Sendable {
  /// The response's status code.
  public let status: Int
  /// The response's header fields, in order.
  public let headers: [(name: String, value: String)]
  /// The response's body as text.
  public let body: String
  /// True if the body is complete; a download whose writing fails is not.
  public let isWhole: Bool
  /// The errors that made the page or a part of it fail, such as a card, with their reasons.
  public let failures: [String]

  /// The path of a redirect; empty for any other response.
  public var location: String { header("Location") ?? "" }

  /// Returns the value of the first header field with that name; nil if there is none.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// Returns true if the body contains the text.
  public func contains(_ text: String) -> Bool { body.contains(text) }

  /// The keys of texts missing in the catalog, and the names of placeholders without values.
  var missingWords: Set<String> {
    Set(body.split(separator: "⟦").dropFirst().map { String($0.prefix { $0 != "⟧" }) })
  }

  /// Returns the hidden fields of the first form that posts to this path, in order.
  public func hidden(of path: String) -> [(String, String)] {
    let form = document.first { $0.name == "form" && $0.attributes["action"] == path }
    return (form?.all("input") ?? []).compactMap { input in
      guard input.attributes["type"] == "hidden", let name = input.attributes["name"] else {
        return nil
      }
      return (name, input.attributes["value"] ?? "")
    }
  }
}

extension TestPage: CustomStringConvertible, CustomTestStringConvertible {
  /// The status with its reasons, the redirect and the words of `<main>`, which a failing
  /// expectation prints; the whole body if it is no page.
  public var description: String {
    let words = body.contains("<main") ? text : body
    return words.isEmpty ? outcome : "\(outcome): \(words)"
  }

  /// The status with its reasons: the redirect, the errors that the page threw, and what is wrong
  /// with the fields that were sent.
  var outcome: String {
    let lead = location.isEmpty ? "\(status)" : "\(status), leads to \(location)"
    var reasons = failures
    if [409, 422].contains(status) {
      let errors = fieldErrors.map { "\($0.field): \($0.words)" }
      reasons += errors.isEmpty ? noticeElements.map(\.text) : errors
    }
    return reasons.isEmpty ? lead : "\(lead) (\(reasons.joined(separator: "; ")))"
  }

  /// The same as ``description``.
  public var testDescription: String { description }
}
