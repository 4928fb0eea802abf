import PolyclinicCore

/// Pages that say why there is no other: what happened, and what to do.
enum ErrorPage {
  static func response(to rejection: Gate.Rejection, _ visit: Visit) -> Response {
    switch rejection {
    case .misdirected: response(421, visit)
    case .malformed: response(400, visit)
    case .targetTooLong: response(414, visit)
    case .bodyTooLarge: response(413, visit)
    case .unsupportedMediaType: response(415, visit)
    case .crossSite: response(403, visit, "error.403.cross-site")
    case .forged: response(403, visit, "error.403.forged")
    case .forbidden: response(403, visit)
    case .otherPerson(let opened, let sent):
      response(
        409, visit,
        opened.isEmpty
          ? Text("error.409.other-person", ["sent": sent])
          : Text("error.409.other-person.named", ["opened": opened, "sent": sent]))
    case .signedOut: response(401, visit)
    }
  }

  /// `words` are those of the module that refused.
  static func response(to refusal: Refusal, _ visit: Visit, _ words: Phrasebook? = nil) -> Response
  {
    switch refusal {
    case .notFound: response(404, visit)
    case .forbidden: response(403, visit)
    case .invalid(_, let text): response(422, visit, text, words, back: visit.wayBack)
    case .conflict(let text): response(409, visit, text, words, back: visit.wayBack)
    case .gone(let text): response(410, visit, text, words, back: visit.wayBack)
    case .malformed: response(400, visit)
    case .signedOut: response(401, visit)
    case .tooMany(let span):
      response(429, visit).adding(.init("Retry-After", String(span.count)))
    }
  }

  /// The page of a status; `text` says more than the status does, and `back` leads to what it is about.
  static func response(
    _ status: Int, _ visit: Visit, _ text: Text? = nil, _ words: Phrasebook? = nil,
    back: Path? = nil
  ) -> Response {
    let words = words ?? visit.front.installation.phrasebook
    let explanation = words.string(text ?? Text("error.\(status).text"), in: visit.language)
    let title = Text("error.\(status).title")
    let reference: HTML? =
      status < 500 || visit.wire.id.isEmpty
      ? nil
      : """
      <p class="reference">\(words.string("error.reference", in: visit.language)) \
      <code>\(visit.wire.id)</code></p>
      """
    let way: HTML? = back.map {
      "<a class=\"button\" href=\"\($0)\">\(words.string("frame.back", in: visit.language))</a> "
    }
    let rank: HTML? = back == nil ? nil : " secondary"
    return .page(
      Page(
        title,
        """
        <p class="status">\(status)</p><h1>\(words.string(title, in: visit.language))</h1>\
        <p class="lead">\(explanation)</p>\(reference)<p class="actions">\(way)\
        <a class="button\(rank)" href="/">\(words.string("error.home", in: visit.language))</a></p>
        """,
        width: .outside, hasOwnHeading: true),
      status: status)
  }
}
