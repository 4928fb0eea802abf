import PolyclinicCore
import PolyclinicWeb

/// The words of the errors that nginx answers without a worker, as lines of the maps in
/// `site.conf`. They come from the catalog of the portal's own error pages.
struct NginxErrors {
  let languages: [Language]
  private let phrasebook: Phrasebook

  /// The statuses that get a page. One without words of its own has those of 400.
  static let statuses = [
    400, 403, 404, 405, 411, 412, 413, 414, 416, 421, 429, 500, 501, 502, 503, 504, 505,
  ]

  /// Throws ``CatalogError``.
  init(in languages: [Language]) throws {
    self.languages = languages
    phrasebook = try Phrasebook(Catalog.server)
  }

  /// The writing direction of each language.
  var directions: String {
    languages.map { "\($0.code) \($0.direction);" }.joined(separator: "\n")
  }

  /// The label of the button that leads home, in each language.
  func home() throws -> String {
    try languages.map { language in
      let label = HTML("\(try words(["error.home"], language))")
      return "\(language.code) \(value(label.bytes));"
    }.joined(separator: "\n")
  }

  /// The title of each page.
  func titles() throws -> String {
    try lines { status, language in
      HTML("\(try words(["error.\(status).title", "error.400.title"], language))").bytes
    }
  }

  /// The paragraphs of each page below its title. The page of a failure names the request, as the
  /// log does.
  func explanations() throws -> String {
    try lines { status, language in
      let keys = ["error.\(status).nginx", "error.\(status).text", "error.400.text"]
      let reference: HTML? =
        status < 500
        ? nil
        : """
        <p class="reference">\(try words(["error.reference"], language)) \
        <code>$request_id</code></p>
        """
      return HTML("<p class=\"lead\">\(try words(keys, language))</p>\(reference)").bytes
    }
  }

  /// The answer to each request of a program (RFC 9457).
  func problems() throws -> String {
    try lines { status, language in
      let keys = ["problem.\(status).nginx", "problem.\(status)", "problem.400"]
      return JSON.object(
        ProblemDetails.members(status, try words(keys, language), request: "$request_id")
      ).encoded
    }
  }

  private func lines(_ text: (Int, Language) throws -> [UInt8]) rethrows -> String {
    try Self.statuses.flatMap { status in
      try languages.map { "\"\(status) \($0.code)\" \(value(try text(status, $0)));" }
    }.joined(separator: "\n")
  }

  /// Returns the first of the texts that the catalog has. Throws ``TemplateError`` if it contains
  /// what nginx would replace by a variable's value.
  private func words(_ keys: [String], _ language: Language) throws -> String {
    let key = keys.first { phrasebook.contains($0, in: language) } ?? keys[0]
    let words = phrasebook.string(Text(key), in: language)
    guard !words.contains("$") else { throw TemplateError("The text \(key) contains a $.") }
    return words
  }

  /// Returns a value of nginx's configuration, between quotation marks.
  private func value(_ text: [UInt8]) -> String {
    let escaped = String(decoding: text, as: UTF8.self)
      .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
