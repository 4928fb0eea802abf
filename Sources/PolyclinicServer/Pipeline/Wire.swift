import PolyclinicCore

/// A request as the web server handed it over: nothing in it is checked yet.
struct WireRequest {
  var method = "GET"
  /// The path and query as the browser sent them.
  var target = "/"
  var host = ""
  var cookies = ""
  var contentType = ""
  /// The peer's address.
  var address = ""
  var acceptLanguage = ""
  var userAgent = ""
  /// `Sec-Fetch-Site`; nil where the browser does not send it.
  var fetchSite: String?
  var origin: String?
  /// `Authorization`, `If-Match`, `Idempotency-Key` and `X-CSRF-Token`, which only programs send; nil
  /// where they do not.
  var authorization: String?
  var ifMatch: String?
  var idempotencyKey: String?
  var antiForgery: String?
  /// What the web server calls this request in its log.
  var id = ""
  /// Whether a header that may appear once appeared more often, or was not UTF-8.
  var isMalformed = false
  /// Reads the body up to a number of bytes.
  var readBody: (Int) -> WireBody = { _ in .bytes([]) }
}

extension WireRequest {
  /// The media type of the body, without parameters.
  var mediaType: String {
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    return Substring(type).lowercased()
  }
}

/// What there is of a request's body.
enum WireBody {
  case bytes([UInt8])
  case tooLarge
  /// It ended before the length that was announced.
  case incomplete
}

/// An answer on its way to the web server.
struct WireResponse {
  var status: Int
  var headers: [(name: StaticString, value: String)] = []
  var content = Content.bytes([])

  /// What follows the head.
  enum Content {
    case bytes([UInt8])
    case page(HTML)
    /// Written while it is sent.
    case stream((ByteSink) throws -> Void)

    /// Throws what the sink throws, and where it is a stream, what kept it from being written.
    func write(to sink: ByteSink) throws {
      switch self {
      case .bytes(let bytes): try sink.write(bytes)
      case .page(let page): try page.withBytes { try sink.write($0) }
      case .stream(let write): try write(sink)
      }
    }
  }
}
