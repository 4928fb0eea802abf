import Glibc
import Logging
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

/// A responder that answers each request with the status that its path names.
private final class EchoingStatus: Responder {
  func respond(to request: WireRequest) -> WireResponse {
    WireResponse(status: Int(request.target.dropFirst()) ?? 200)
  }

  func failure(_ error: any Error, of request: WireRequest) -> WireResponse { respond(to: request) }
  func refusal(_ status: Int, of request: WireRequest) -> WireResponse { respond(to: request) }
  func note(_ reason: DeliveryFailure, of request: WireRequest) {}
  func bodyLimit(of request: WireRequest) -> Int { 0 }
  func client(of request: WireRequest) -> ThreadLimiter.Client { .init(network: "", session: nil) }
  func isForPrograms(_ target: String) -> Bool { false }
  func giveMemoryBack() {}
}

@Suite struct KeptConnectionTests {
  private let silent = Logger(label: "listener") { _ in SwiftLogNoOpLogHandler() }

  /// Runs `body` with a listener, and the path of its socket.
  private func withListener<Outcome>(
    threads: Int = 2,
    by respond: @escaping @Sendable (borrowing FastCGIRequest) -> String = { _ in "ok" },
    _ body: (Listener, String) throws -> Outcome
  ) throws -> Outcome {
    try withListener(threads: threads, of: { Answering(respond) }, body)
  }

  private func withListener<Outcome>(
    threads: Int, of makeResponder: @escaping @Sendable () -> any FastCGIApplication,
    _ body: (Listener, String) throws -> Outcome
  ) throws -> Outcome {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let socket = try Endpoint(path: path).listen(backlog: 64)
      defer { close(socket) }
      let listener = try Listener(
        socket: socket, threads: threads, log: silent, makeResponder: makeResponder)
      try listener.start()
      defer { listener.drain() }
      return try body(listener, path)
    }
  }

  @Test func `a kept connection answers one GET after another`() throws {
    try withListener { _, path in
      let client = try FastCGIClient(path: path)
      for _ in 0..<20 { #expect(client.get() == "ok") }
      #expect(client.get(method: "HEAD") == "ok")
      client.close()
    }
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", ""])
  func `a connection is closed after any method but GET and HEAD`(method: String) throws {
    try withListener { _, path in
      let client = try FastCGIClient(path: path)
      #expect(client.get(method: method) == "ok")
      #expect(client.receiveAll() == "" && client.isAlone)
      client.close()
    }
  }

  @Test(arguments: [(200, true), (404, true), (429, true), (500, false), (503, false)])
  func `a connection is closed after a failure of the server, and kept after any other answer`(
    status: Int, isKept: Bool
  ) throws {
    let makeResponder: @Sendable () -> any FastCGIApplication = {
      FastCGIResponder(EchoingStatus(), ThreadLimiter(threads: 2))
    }
    try withListener(threads: 2, of: makeResponder) { _, path in
      let client = try FastCGIClient(path: path)
      let answer = "Status: \(status)\r\n\r\n"
      let target = [("REQUEST_URI", Array("/\(status)".utf8))]
      #expect(client.get(target) == answer)
      #expect(client.get(target) == (isKept ? answer : nil))
      client.close()
    }
  }

  @Test func `a connection whose body was not read is closed`() throws {
    try withListener { _, path in
      let client = try FastCGIClient(path: path)
      client.send(
        [("REQUEST_METHOD", Array("GET".utf8))], body: [UInt8](repeating: 0x78, count: 20_000),
        keeping: true)
      #expect(client.receiveKept() == "ok")
      #expect(client.receiveAll() == "")
      client.close()
    }
  }

  @Test func `many unused connections do not delay a new one`() throws {
    try withListener { _, path in
      let clients = try (0..<30).map { _ in try FastCGIClient(path: path) }
      for client in clients { #expect(client.get() == "ok") }
      let other = try FastCGIClient(path: path)
      other.send([])
      #expect(other.receive() == "ok")
      for client in clients { #expect(client.get() == "ok") }
      for client in clients { client.close() }
    }
  }

  @Test func `connections above the limit are closed after their answer`() throws {
    try withListener(threads: 1) { _, path in
      let clients = try (0..<20).map { _ in try FastCGIClient(path: path) }
      for client in clients { #expect(client.get() == "ok") }
      let kept = clients.filter { $0.get() == "ok" }
      #expect(kept.count == 16)
      for client in clients { client.close() }
    }
  }

  @Test func `half a request on a kept connection blocks nobody, and the connection is closed`()
    throws
  {
    try withListener { _, path in
      let halves = try (0..<2).map { _ in try FastCGIClient(path: path) }
      for half in halves {
        #expect(half.get() == "ok")
        half.sendRaw([1, 1, 0])
      }
      let client = try FastCGIClient(path: path)
      #expect(client.get() == "ok")
      for half in halves { #expect(half.receiveKept() == nil) }
      for other in halves + [client] { other.close() }
    }
  }

  @Test func `a malformed record ends its kept connection only`() throws {
    try withListener { _, path in
      let good = try FastCGIClient(path: path)
      #expect(good.get() == "ok")
      let bad = try FastCGIClient(path: path)
      #expect(bad.get() == "ok")
      bad.sendRaw([9, 9, 9, 9, 0, 0, 0, 0])
      #expect(bad.receiveKept() == nil)
      #expect(good.get() == "ok")
      for client in [good, bad] { client.close() }
    }
  }

  @Test func `an answer larger than the send buffer arrives whole, each time`() throws {
    let page = String(repeating: "x", count: 1_000_000)
    let respond: @Sendable (borrowing FastCGIRequest) -> String = { _ in page }
    try withListener(by: respond) { _, path in
      let client = try FastCGIClient(path: path)
      for _ in 0..<3 { #expect(client.get() == page) }
      client.close()
    }
  }

  @Test func `a connection of a busy listener is handed back before its request is read`() throws {
    let finish = try Channel()
    let respond: @Sendable (borrowing FastCGIRequest) -> String = { request in
      if (try? request.parameter("A")) != nil { finish.waitForByte() }
      return "ok"
    }
    try withListener(threads: 1, by: respond) { _, path in
      let kept = try FastCGIClient(path: path)
      #expect(kept.get() == "ok")
      let long = try FastCGIClient(path: path)
      long.send([("A", [0x31])])
      #expect(kept.get() == nil)
      finish.sendByte()
      #expect(long.receive() == "ok")
      kept.close()
    }
  }

  @Test func `new connections get their turn among busy kept ones`() throws {
    let isOver = try Channel()
    let respond: @Sendable (borrowing FastCGIRequest) -> String = { _ in
      poll(nil, 0, 2)
      return "ok"
    }
    try withListener(threads: 1, by: respond) { _, path in
      let threads = try (0..<8).map { _ in
        try SystemThread {
          guard let client = try? FastCGIClient(path: path) else { return }
          var ended = pollfd(fd: isOver.near, events: Int16(POLLIN), revents: 0)
          while poll(&ended, 1, 0) == 0, client.get() != nil {}
          client.close()
        }
      }
      for _ in 0..<10 {
        let began = ContinuousClock.now
        let client = try FastCGIClient(path: path)
        client.send([])
        #expect(client.receive() == "ok")
        #expect(ContinuousClock.now - began < .seconds(2))
      }
      isOver.closeFar()
      for thread in threads { thread.join() }
      isOver.closeNear()
    }
  }

  @Test func `draining closes unused kept connections at once, and used ones after their answer`()
    throws
  {
    let begun = try Channel()
    let finish = try Channel()
    let respond: @Sendable (borrowing FastCGIRequest) -> String = { request in
      if (try? request.parameter("A")) != nil {
        begun.sendByte()
        finish.waitForByte()
      }
      return "ok"
    }
    try withListener(by: respond) { listener, path in
      let unused = try FastCGIClient(path: path)
      let used = try FastCGIClient(path: path)
      #expect(unused.get() == "ok" && used.get() == "ok")
      used.send(
        [("A", [0x31]), ("REQUEST_METHOD", Array("GET".utf8))], keeping: true)
      begun.waitForByte()
      let draining = try SystemThread { listener.drain() }
      #expect(unused.receiveAll() == "")
      finish.sendByte()
      #expect(used.receiveKept() == "ok")
      #expect(used.receiveAll() == "")
      draining.join()
      for client in [unused, used] { client.close() }
    }
  }
}
