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

  private func write(_ response: WireResponse, to out: inout [UInt8]) {
    out.reserveCapacity(response.body.count + 512)
    out.append(contentsOf: "Status: \(response.status)\r\n".utf8)
    for header in response.headers {
      out.append(contentsOf: "\(header.name): ".utf8)
      // A line's end in a value would begin a header of somebody else's.
      out.append(contentsOf: header.value.utf8.lazy.filter { $0 >= 0x20 && $0 != 0x7F })
      out.append(contentsOf: "\r\n".utf8)
    }
    out.append(contentsOf: "\r\n".utf8)
    out.append(contentsOf: response.body)
  }
}
