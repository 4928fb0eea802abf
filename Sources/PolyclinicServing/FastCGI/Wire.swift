import PolyclinicCore

/// A request as received from the web server, before any check.
///
/// It is a class, because each room of the request path passes it on, and it has many fields.
package final class WireRequest {
  /// The request's id in the web server's log.
  package let id: String
  package let method: String
  /// The path and query as the browser sent them.
  package let target: String
  package let host: String
  /// The IP address of the client.
  package let address: String
  package let cookies: String
  package let contentType: String
  package let acceptLanguage: String
  package let userAgent: String
  /// `Sec-Fetch-Site`; nil if the browser does not send it.
  package let fetchSite: String?
  package let origin: String?
  /// True for a page that the service worker keeps for times without a network: `X-Offline-Copy`.
  package let isOfflineCopy: Bool
  /// The headers that only API clients send.
  package let api: APIHeaders
  /// True if a header that may appear once was repeated, or was not UTF-8.
  package let isMalformed: Bool
  /// Reads the body up to a limit in bytes. The listener sets it, because the limit depends on the
  /// other fields.
  package var readBody: (Int) -> WireBody = { _ in .bytes([]) }

  /// `Authorization`, `If-Match`, `Idempotency-Key` and `X-CSRF-Token`; nil if absent.
  package struct APIHeaders {
    package var authorization: String?
    package var ifMatch: String?
    package var idempotencyKey: String?
    package var antiForgery: String?

    package init(
      authorization: String? = nil, ifMatch: String? = nil, idempotencyKey: String? = nil,
      antiForgery: String? = nil
    ) {
      self.authorization = authorization
      self.ifMatch = ifMatch
      self.idempotencyKey = idempotencyKey
      self.antiForgery = antiForgery
    }
  }

  package init(
    id: String, method: String, target: String, host: String, address: String, cookies: String,
    contentType: String = "", acceptLanguage: String, userAgent: String, fetchSite: String? = nil,
    origin: String? = nil, isOfflineCopy: Bool = false, api: APIHeaders = APIHeaders(),
    isMalformed: Bool = false
  ) {
    self.id = id
    self.method = method
    self.target = target
    self.host = host
    self.address = address
    self.cookies = cookies
    self.contentType = contentType
    self.acceptLanguage = acceptLanguage
    self.userAgent = userAgent
    self.fetchSite = fetchSite
    self.origin = origin
    self.isOfflineCopy = isOfflineCopy
    self.api = api
    self.isMalformed = isMalformed
  }
}

extension WireRequest {
  /// The media type of the body, without parameters.
  package var mediaType: String {
    let type = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    return Substring(type).lowercased()
  }
}

/// The result of reading a request's body.
package enum WireBody {
  case bytes([UInt8])
  case tooLarge
  /// The body ended before its announced length.
  case incomplete
}

/// A response as it is sent to the web server.
package struct WireResponse {
  package var status: Int
  package var headers: [(name: StaticString, value: String)] = []
  package var content = Content.bytes([])

  package init(
    status: Int, headers: [(name: StaticString, value: String)] = [],
    content: WireResponse.Content = Content.bytes([])
  ) {
    self.status = status
    self.headers = headers
    self.content = content
  }

  /// The body of a response.
  package enum Content {
    case bytes([UInt8])
    case page(HTML)
    /// A body that is generated while it is sent.
    case stream((ByteSink) throws -> Void)

    /// Writes the body. Throws the sink's errors, and those of a stream that cannot be generated.
    package func write(to sink: ByteSink) throws {
      switch self {
      case .bytes(let bytes): try sink.write(bytes)
      case .page(let page): try page.withBytes { try sink.write($0) }
      case .stream(let write): try write(sink)
      }
    }
  }
}
