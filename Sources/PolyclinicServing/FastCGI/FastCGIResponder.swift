import Glibc
import PolyclinicCore
import PolyclinicSystem

/// Passes requests from FastCGI to a ``Responder``, and its responses back.
///
/// Only parameters that the web server sets itself are trusted. Parameters that begin with `HTTP_`
/// come from the browser.
package final class FastCGIResponder: FastCGIApplication {
  private let responder: any Responder
  private let threadLimiter: ThreadLimiter
  private let recorder: CrashRecorder?

  /// Creates a responder. Call it in the thread that will respond. Without a recorder, a request
  /// that crashes its worker is retried as often as the web server likes.
  package init(
    _ responder: any Responder, _ threadLimiter: ThreadLimiter, recorder: CrashRecorder? = nil
  ) {
    self.responder = responder
    self.threadLimiter = threadLimiter
    self.recorder = recorder
  }

  package func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws -> Bool {
    let wire = wireRequest(request)
    if Waiting(since: request.repairedParameters("REQUEST_TIME").first ?? "").isTooLong {
      return try write(responder.refusal(503, of: wire), to: out)
    }
    if recorder?.begin(wire.id) == false {
      return try write(responder.refusal(500, of: wire), to: out)
    }
    defer { recorder?.end() }
    guard let place = threadLimiter.enter(responder.client(of: wire), at: Uptime.milliseconds)
    else {
      return try write(responder.refusal(429, of: wire), to: out)
    }
    defer { threadLimiter.leave(place) }
    // Reads the body immediately, up to the limit for its type, because nginx has received all of
    // it.
    let method = wire.method
    if method != "GET" && method != "HEAD" && !wire.isMalformed {
      let body = body(of: request, limit: responder.bodyLimit(of: wire))
      wire.readBody = { _ in body }
    }
    do { return try write(responder.respond(to: wire), to: out) } catch let reason
      as DeliveryFailure
    {
      responder.note(reason, of: wire)
      throw reason
    } catch {
      let page = responder.failure(error, of: wire)
      // A download that has begun cannot be replaced by an error page.
      if out.hasPassed { throw error }
      out.discard()
      return try write(page, to: out)
    }
  }

  package func giveMemoryBack() { responder.giveMemoryBack() }

  private func wireRequest(_ request: borrowing FastCGIRequest) -> WireRequest {
    do { return try strict(request) } catch {
      func first(_ name: StaticString) -> String { request.repairedParameters(name).first ?? "" }
      return WireRequest(
        id: first("REQUEST_ID"), method: first("REQUEST_METHOD"), target: first("REQUEST_URI"),
        host: first("HTTP_HOST"), address: first("REMOTE_ADDR"), cookies: first("HTTP_COOKIE"),
        acceptLanguage: first("HTTP_ACCEPT_LANGUAGE"), userAgent: first("HTTP_USER_AGENT"),
        isMalformed: true)
    }
  }

  private func strict(
    _ request: borrowing FastCGIRequest
  ) throws(ParameterError) -> WireRequest {
    let target = try request.parameter("REQUEST_URI") ?? ""
    return WireRequest(
      id: try request.parameter("REQUEST_ID") ?? "",
      method: try request.parameter("REQUEST_METHOD") ?? "", target: target,
      host: try request.parameter("HTTP_HOST") ?? "",
      address: try request.parameter("REMOTE_ADDR") ?? "",
      cookies: request.repairedParameters("HTTP_COOKIE").joined(separator: "; "),
      contentType: try request.parameter("CONTENT_TYPE") ?? "",
      acceptLanguage: request.repairedParameters("HTTP_ACCEPT_LANGUAGE").joined(separator: ","),
      userAgent: request.repairedParameters("HTTP_USER_AGENT").first ?? "",
      fetchSite: try request.parameter("HTTP_SEC_FETCH_SITE"),
      origin: try request.parameter("HTTP_ORIGIN"),
      isOfflineCopy: !request.repairedParameters("HTTP_X_OFFLINE_COPY").isEmpty,
      api: responder.isForPrograms(target) ? try apiHeaders(request) : WireRequest.APIHeaders())
  }

  private func apiHeaders(
    _ request: borrowing FastCGIRequest
  ) throws(ParameterError) -> WireRequest.APIHeaders {
    WireRequest.APIHeaders(
      authorization: try request.parameter("HTTP_AUTHORIZATION"),
      ifMatch: try request.parameter("HTTP_IF_MATCH"),
      idempotencyKey: try request.parameter("HTTP_IDEMPOTENCY_KEY"),
      antiForgery: try request.parameter("HTTP_X_CSRF_TOKEN"))
  }

  private func body(of request: borrowing FastCGIRequest, limit: Int) -> WireBody {
    do {
      switch try request.body(limit: limit) {
      case .complete(let bytes): return .bytes(bytes)
      case .tooLarge: return .tooLarge
      case .broken: return .incomplete
      }
    } catch {
      // The announced length is invalid text or is repeated.
      return .incomplete
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  private func append(_ text: StaticString, to out: inout [UInt8]) {
    text.withUTF8Buffer { out.append(contentsOf: $0) }
  }

  /// Returns true unless the response reports a failure of the server (RFC 9110, section 15.6).
  private func write(_ response: WireResponse, to out: ByteSink) throws -> Bool {
    try out.write(head(of: response))
    try response.content.write(to: out)
    return response.status < 500
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
      // A line end in a value could begin a forged header.
      if head[start...].contains(where: Self.isControl) {
        head[start...].removeAll(where: Self.isControl)
      }
    }
    append("\r\n\r\n", to: &head)
    return head
  }
}

/// Answers requests in one thread. That thread creates it and alone calls it, so it may own the
/// thread's database connection.
package protocol FastCGIApplication: AnyObject {
  /// Writes the whole response to `out`, which is empty: a CGI head with `Status:`, an empty line
  /// and the body.
  ///
  /// Returns true if the connection may be kept for another request; false if this process has
  /// failed, so that a new connection may reach another one. Throws if the response cannot be
  /// written completely. The reason is logged before.
  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws -> Bool

  /// Frees caches, because no request has come for a while.
  func giveMemoryBack()
}

/// The time that a request has waited for a thread. The web server and the portal use the same
/// clock.
struct Waiting {
  /// The limit in seconds. After it the client has given up, or should retry later rather than wait
  /// as long again.
  private static let limit = 5.0
  /// The limit in seconds above which the clock must have been set meanwhile, so the time is
  /// ignored.
  private static let implausible = 120.0

  private let seconds: Double

  /// `sent` is nginx's `$msec`: seconds since 1970 with milliseconds; any other text is no wait.
  init(since sent: String, at now: Double = Waiting.now) {
    seconds = Double(sent).map { now - $0 } ?? 0
  }

  var isTooLong: Bool { (Self.limit...Self.implausible).contains(seconds) }

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
