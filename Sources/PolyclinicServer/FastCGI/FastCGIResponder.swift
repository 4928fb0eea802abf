/// Takes requests from FastCGI to the pipeline, and its answers back.
///
/// Only parameters that the web server sets itself are trusted; what begins with `HTTP_` the browser said.
final class FastCGIResponder: Responder {
  private let answer: Answer

  init(_ answer: Answer) { self.answer = answer }

  func respond(to request: borrowing FastCGIRequest, into out: inout [UInt8]) {
    var wire = WireRequest()
    do { try fill(&wire, from: request) } catch { wire.isMalformed = true }
    // Only a form's route reads the body, and only once it is known to be wanted.
    let method = wire.method
    if method != "GET" && method != "HEAD" && !wire.isMalformed {
      let body = body(of: request)
      wire.readBody = { _ in body }
    }
    write(answer.respond(to: wire), to: &out)
  }

  private func fill(
    _ wire: inout WireRequest, from request: borrowing FastCGIRequest
  ) throws(ParameterError) {
    wire.id = try request.parameter("REQUEST_ID") ?? ""
    wire.method = try request.parameter("REQUEST_METHOD") ?? ""
    wire.target = try request.parameter("REQUEST_URI") ?? ""
    wire.host = try request.parameter("HTTP_HOST") ?? ""
    wire.address = try request.parameter("REMOTE_ADDR") ?? ""
    wire.cookies = try request.parameters("HTTP_COOKIE").joined(separator: "; ")
    wire.contentType = try request.parameter("CONTENT_TYPE") ?? ""
    wire.acceptLanguage = try request.parameter("HTTP_ACCEPT_LANGUAGE") ?? ""
    wire.userAgent = try request.parameter("HTTP_USER_AGENT") ?? ""
    wire.fetchSite = try request.parameter("HTTP_SEC_FETCH_SITE")
    wire.origin = try request.parameter("HTTP_ORIGIN")
  }

  private func body(of request: borrowing FastCGIRequest) -> WireBody {
    do {
      switch try request.body(limit: Gate.bodyLimit) {
      case .complete(let bytes): return .bytes(bytes)
      case .tooLarge: return .tooLarge
      case .broken: return .incomplete
      }
    } catch {
      // The announced length is no text, or stands there twice.
      return .incomplete
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  private func append(_ text: StaticString, to out: inout [UInt8]) {
    text.withUTF8Buffer { out.append(contentsOf: $0) }
  }

  private func write(_ response: WireResponse, to out: inout [UInt8]) {
    out.reserveCapacity(response.body.count + 512)
    append("Status: ", to: &out)
    out.append(contentsOf: String(response.status).utf8)
    for header in response.headers {
      append("\r\n", to: &out)
      append(header.name, to: &out)
      append(": ", to: &out)
      let start = out.count
      out.append(contentsOf: header.value.utf8)
      // A line's end in a value would begin a header of somebody else's.
      if out[start...].contains(where: Self.isControl) {
        out[start...].removeAll(where: Self.isControl)
      }
    }
    append("\r\n\r\n", to: &out)
    out.append(contentsOf: response.body)
  }
}
