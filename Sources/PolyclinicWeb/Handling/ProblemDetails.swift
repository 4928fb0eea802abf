import PolyclinicCore

/// The body of an error response (RFC 9457), in the language of the request.
package struct ProblemDetails {
  let status: Int
  /// The explanation for the client; nil for the default text of the status.
  var text: Text?
  var words: Phrasebook?
  var errors: [(field: String, pointer: String?, text: Text)] = []
  var rest: [JSON.Member] = []
  var headers: [Response.Header] = []

  func response(_ admission: AdmittedRequest) -> Response {
    let shared = admission.server.installation.phrasebook
    let text = text ?? Text("problem.\(status)")
    func said(_ text: Text) -> String {
      let words = text.module.flatMap { admission.server.installation.phrasebooks[$0] } ?? words
      return (words ?? shared).string(text, in: admission.language)
    }
    var members = Self.members(status, said(text), request: admission.wire.id)
    if !errors.isEmpty {
      let errors = errors.map { error -> JSON in
        let place = error.pointer.map { [JSON.Member("pointer", .string("#" + $0))] } ?? []
        return .object(
          [JSON.Member("field", .string(error.field))] + place
            + [JSON.Member("detail", .string(said(error.text)))])
      }
      members.append(JSON.Member("errors", .array(errors)))
    }
    return Response(
      status, .bytes(JSON.object(members + rest).encoded, type: "application/problem+json"),
      headers: headers)
  }

  /// Returns the members of every problem. `request` is the number of the request, which only the
  /// answer to a failure contains.
  package static func members(_ status: Int, _ detail: String, request: String) -> [JSON.Member] {
    [
      JSON.Member("type", "about:blank"),
      JSON.Member("title", .string(titles[status] ?? "Error")),
      JSON.Member("status", .integer(Int64(status))), JSON.Member("detail", .string(detail)),
    ] + (status < 500 ? [] : [JSON.Member("request", .string(request))])
  }

  /// The titles of RFC 9110, 15, and RFC 6585.
  private static let titles = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 411: "Length Required",
    412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 421: "Misdirected Request",
    422: "Unprocessable Content", 428: "Precondition Required", 429: "Too Many Requests",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}

extension ProblemDetails {
  /// Creates the details of an error; nil for an internal error.
  ///
  /// `words` are the strings of the module that threw it. `source` maps its fields to places in the
  /// body.
  init?(_ error: any Error, words: Phrasebook? = nil, source: (any ResourceSource)? = nil) {
    switch error {
    case let rejection as Rejection: self.init(rejection)
    case let refusal as APIRefusal: self.init(refusal)
    case let refusal as Refusal: self.init(refusal, source)
    case let conflict as ConflictWithOffers:
      self.init(
        status: 409, text: conflict.text, rest: [JSON.Member("instead", .array(conflict.instead))])
    case let problems as Problems:
      self.init(
        status: 422,
        errors: problems.list.map { ($0.field, source?.pointer(of: $0.field), $0.text) })
    default: return nil
    }
    self.words = words
  }

  private init(_ rejection: Rejection) {
    switch rejection {
    case .misdirected: self.init(status: 421)
    case .malformed: self.init(status: 400)
    case .targetTooLong: self.init(status: 414)
    case .bodyTooLarge: self.init(status: 413)
    case .unsupportedMediaType: self.init(status: 415)
    case .crossSite: self.init(status: 403, text: "error.403.cross-site")
    case .forged: self.init(status: 403, text: "problem.403.forged")
    case .forbidden: self.init(status: 403)
    case .otherPerson: self.init(status: 409)
    case .notForGuardians(let reason?): self.init(status: 403, text: reason)
    case .notForGuardians(nil), .notInCare: self.init(status: 404)
    case .signedOut: self.init(status: 401, headers: [.authenticate("")])
    }
  }

  private init(_ refusal: Refusal, _ source: (any ResourceSource)?) {
    switch refusal {
    case .notFound: self.init(status: 404)
    case .forbidden: self.init(status: 403)
    case .invalid(let field, let text):
      self.init(status: 422, errors: [(field, source?.pointer(of: field), text)])
    case .conflict(let text): self.init(status: 409, text: text)
    case .gone(let text): self.init(status: 410, text: text)
    case .malformed: self.init(status: 400)
    case .signedOut: self.init(status: 401, headers: [.authenticate("")])
    case .tooMany(let span):
      self.init(status: 429, headers: [.init("Retry-After", String(span.count))])
    }
  }

  private init(_ refusal: APIRefusal) {
    switch refusal {
    case .unknownToken:
      self.init(
        status: 401, text: "problem.401.token",
        headers: [.authenticate(", error=\"invalid_token\"")])
    case .scope(let scope, let module):
      self.init(
        status: 403,
        text: Text("problem.403.scope", ["scope": scope.rawValue, "module": module.rawValue]),
        headers: [.authenticate(", error=\"insufficient_scope\"")])
    case .forged: self.init(status: 403, text: "problem.403.forged")
    case .notJSON(let offset):
      self.init(status: 400, text: Text("problem.400.body", ["place": String(offset)]))
    case .method(let methods):
      let allowed = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
      self.init(status: 405, headers: [.init("Allow", allowed.joined(separator: ", "))])
    case .changed: self.init(status: 412)
    case .otherRequest:
      self.init(
        status: 422, errors: [("Idempotency-Key", nil, "problem.422.other-request")])
    case .parameter(let name):
      self.init(status: 422, errors: [(name, nil, "problem.422.parameter")])
    case .unconditional: self.init(status: 428)
    }
  }
}

extension Response.Header {
  /// A `WWW-Authenticate` header (RFC 6750, 3).
  fileprivate static func authenticate(_ rest: String) -> Response.Header {
    Response.Header("WWW-Authenticate", "Bearer realm=\"polyclinic\"" + rest)
  }
}
