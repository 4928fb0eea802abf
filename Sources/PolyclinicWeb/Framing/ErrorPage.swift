import PolyclinicCore

/// Error pages, which tell the visitor the problem and the next step.
struct ErrorPage {
  private let admission: AdmittedRequest
  /// The strings of the module that refused the request.
  private let words: Phrasebook
  /// The path of the "Back" button, which only pages with a text of their own have; nil for none.
  private let back: Path?
  /// The values that the visitor typed into a form that was not saved, by label.
  var typed: [(label: Text, value: String)] = []

  init(_ admission: AdmittedRequest, _ words: Phrasebook? = nil, back: Path? = nil) {
    self.admission = admission
    self.words = words ?? admission.server.installation.phrasebook
    self.back = back
  }

  func response(to rejection: Rejection) -> Response {
    switch rejection {
    case .misdirected: response(421)
    case .malformed: response(400)
    case .targetTooLong: response(414)
    case .bodyTooLarge: response(413)
    case .unsupportedMediaType: response(415)
    case .crossSite: response(403, "error.403.cross-site")
    case .forged: response(403, "error.403.forged")
    case .forbidden: response(403)
    case .otherPerson(let opened, let sent):
      response(
        409,
        opened.isEmpty
          ? Text("error.409.other-person", ["sent": sent])
          : Text("error.409.other-person.named", ["opened": opened, "sent": sent]))
    case .notForGuardians(let reason?): response(403, reason)
    case .notForGuardians(nil): response(404)
    case .notInCare: response(404, "error.404.person", title: "error.404.person.title")
    case .signedOut: response(401)
    }
  }

  func response(to refusal: Refusal) -> Response {
    switch refusal {
    case .notFound: response(404)
    case .forbidden: response(403)
    case .invalid(_, let text): response(422, text)
    // Nothing may have changed: an appointment that is over is refused with the same status.
    case .conflict(let text): response(409, text, title: "error.409.title.own")
    case .gone(let text): response(410, text)
    case .malformed: response(400)
    case .signedOut: response(401)
    case .tooMany(let span):
      response(429).adding(.init("Retry-After", String(span.count)))
    }
  }

  /// Returns the error page of a status. `text` and `title` replace the defaults.
  func response(_ status: Int, _ text: Text? = nil, title: Text? = nil) -> Response {
    let back = text == nil ? nil : back
    let explanation = words.string(text ?? Text("error.\(status).text"), in: admission.language)
    let title = title ?? Text("error.\(status).title")
    let reference: HTML? =
      status < 500 || admission.wire.id.isEmpty
      ? nil
      : """
      <p class="reference">\(words.string("error.reference", in: admission.language)) \
      <code>\(admission.wire.id)</code></p>
      """
    let way: HTML? = back.map {
      "<a class=\"button\" href=\"\($0)\">\(words.string("frame.back", in: admission.language))</a>"
    }
    let rank: HTML? = back == nil ? nil : " secondary"
    let home: HTML = """
      <a class="button\(rank)" href="/">\(words.string("error.home", in: admission.language))</a>
      """
    return .page(
      Page(
        title,
        """
        <p class="status">\(status)</p><h1>\(words.string(title, in: admission.language))</h1>\
        <p class="lead">\(explanation)</p>\(reference)\(unsaved)\
        \(actions: [way, home] + (status == 404 ? parts : []))
        """,
        width: .outside, hasOwnHeading: true),
      status: status)
  }

  /// The typed values, so that they can be copied.
  private var unsaved: HTML? {
    if typed.isEmpty { return nil }
    let rows = typed.map { field -> HTML in
      """
      <div><dt>\(words.string(field.label, in: admission.language))</dt>\
      <dd class="lines"><bdi>\(field.value)</bdi></dd></div>
      """
    }
    return """
      <p>\(words.string("error.unsaved", in: admission.language))</p><dl class="details">\(rows)</dl>
      """
  }

  /// Links to the parts of the portal that need no account, so that a wrong address is no dead end.
  /// Signed-in visitors have the navigation instead.
  private var parts: [HTML?] {
    guard admission.session == nil else { return [] }
    return admission.server.installation.links(for: nil).compactMap { link, member in
      let path = link.path.resolved(in: member.module.id)
      // The home page has a button of its own.
      if path.description == "/" { return nil }
      return """
        <a class="button secondary" href="\(path)">\
        \(member.phrasebook.string(link.title, in: admission.language))</a>
        """
    }
  }
}
