import PolyclinicCore

/// Takes requests from FastCGI to the pipeline, and its answers back.
///
/// Only parameters that the web server sets itself are trusted; what begins with `HTTP_` the browser said.
final class FastCGIResponder: Responder {
  private let answer: Answer
  private let occupancy: Occupancy
  private let witness: CrashWitness?

  /// To be made by the thread that it answers in; without a witness a request that ends its worker is
  /// tried as often as the web server likes.
  init(_ answer: Answer, _ occupancy: Occupancy, witness: CrashWitness? = nil) {
    self.answer = answer
    self.occupancy = occupancy
    self.witness = witness
  }

  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws {
    var wire = WireRequest()
    do { try fill(&wire, from: request) } catch { wire.isMalformed = true }
    if Waiting.isTooLong(since: request.repairedParameters("REQUEST_TIME").first ?? "") {
      return try write(answer.turnAway(wire, 503), to: out)
    }
    if witness?.begin(wire.id) == false { return try write(answer.turnAway(wire, 500), to: out) }
    defer { witness?.end() }
    let guest = Occupancy.Guest(address: wire.address, cookies: wire.cookies)
    guard let place = occupancy.enter(guest, at: Uptime.milliseconds) else {
      return try write(answer.turnAway(wire, 429), to: out)
    }
    defer { occupancy.leave(place) }
    // Read at once, up to what such a form may weigh: nginx has it whole by now.
    let method = wire.method
    if method != "GET" && method != "HEAD" && !wire.isMalformed {
      let body = body(of: request, limit: answer.bodyLimit(of: wire))
      wire.readBody = { _ in body }
    }
    do { try write(answer.respond(to: wire), to: out) } catch let reason as Undelivered {
      answer.note(reason, of: wire)
      throw reason
    } catch {
      let page = answer.failure(error, of: wire)
      // A download that has begun cannot become a page.
      if out.hasPassed { throw error }
      out.discard()
      try write(page, to: out)
    }
  }

  func giveMemoryBack() { answer.giveMemoryBack() }

  private func fill(
    _ wire: inout WireRequest, from request: borrowing FastCGIRequest
  ) throws(ParameterError) {
    wire.id = try request.parameter("REQUEST_ID") ?? ""
    wire.method = try request.parameter("REQUEST_METHOD") ?? ""
    wire.target = try request.parameter("REQUEST_URI") ?? ""
    wire.host = try request.parameter("HTTP_HOST") ?? ""
    wire.address = try request.parameter("REMOTE_ADDR") ?? ""
    wire.cookies = request.repairedParameters("HTTP_COOKIE").joined(separator: "; ")
    wire.contentType = try request.parameter("CONTENT_TYPE") ?? ""
    wire.acceptLanguage = request.repairedParameters("HTTP_ACCEPT_LANGUAGE").joined(separator: ",")
    wire.userAgent = request.repairedParameters("HTTP_USER_AGENT").first ?? ""
    wire.fetchSite = try request.parameter("HTTP_SEC_FETCH_SITE")
    wire.origin = try request.parameter("HTTP_ORIGIN")
    guard API.owns(wire.target) else { return }
    wire.authorization = try request.parameter("HTTP_AUTHORIZATION")
    wire.ifMatch = try request.parameter("HTTP_IF_MATCH")
    wire.idempotencyKey = try request.parameter("HTTP_IDEMPOTENCY_KEY")
    wire.antiForgery = try request.parameter("HTTP_X_CSRF_TOKEN")
  }

  private func body(of request: borrowing FastCGIRequest, limit: Int) -> WireBody {
    do {
      switch try request.body(limit: limit) {
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

  private func write(_ response: WireResponse, to out: ByteSink) throws {
    try out.write(head(of: response))
    try response.content.write(to: out)
  }

  private func head(of response: WireResponse) -> [UInt8] {
    var head: [UInt8] = []
    append("Status: ", to: &head)
    head.append(contentsOf: String(response.status).utf8)
    for header in response.headers {
      append("\r\n", to: &head)
      append(header.name, to: &head)
      append(": ", to: &head)
      let start = head.count
      head.append(contentsOf: header.value.utf8)
      // A line's end in a value would begin a header of somebody else's.
      if head[start...].contains(where: Self.isControl) {
        head[start...].removeAll(where: Self.isControl)
      }
    }
    append("\r\n\r\n", to: &head)
    return head
  }
}
