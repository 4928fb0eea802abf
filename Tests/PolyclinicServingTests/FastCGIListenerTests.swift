import Dispatch
import Glibc
import Logging
import PolyclinicCore
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

/// A responder that answers with the result of a closure.
final class Answering: FastCGIApplication {
  private let answer: (borrowing FastCGIRequest) -> String

  private let rest: () -> Void

  init(
    _ answer: @escaping (borrowing FastCGIRequest) -> String, rest: @escaping () -> Void = {}
  ) {
    self.answer = answer
    self.rest = rest
  }

  func giveMemoryBack() { rest() }

  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws -> Bool {
    try out.write(answer(request).utf8)
    return true
  }
}

/// A responder whose closure writes the answer.
private final class Writing: FastCGIApplication {
  private let write: (ByteSink) throws -> Void

  init(_ write: @escaping (ByteSink) throws -> Void) { self.write = write }

  func giveMemoryBack() {}

  func respond(to request: borrowing FastCGIRequest, into out: ByteSink) throws -> Bool {
    try write(out)
    return true
  }
}

@Suite struct FastCGIListenerTests {
  private let silent = Logger(label: "listener") { _ in SwiftLogNoOpLogHandler() }

  /// Returns a listener's answer to one request.
  private func answer(
    to parameters: [(String, [UInt8])], body: [UInt8] = [],
    by respond: @escaping @Sendable (borrowing FastCGIRequest) -> String
  ) throws -> String {
    try withListener(by: respond) { path in
      let client = try FastCGIClient(path: path)
      client.send(parameters, body: body)
      let (output, isEnded) = client.receiveAnswer()
      client.close()
      #expect(isEnded)
      return output
    }
  }

  private func withListener<Outcome>(
    by respond: @escaping @Sendable (borrowing FastCGIRequest) -> String,
    rest: @escaping @Sendable () -> Void = {}, _ body: (String) throws -> Outcome
  ) throws -> Outcome {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let socket = try Endpoint(path: path).listen(backlog: 8)
      defer { close(socket) }
      let listener = try Listener(socket: socket, threads: 2, log: silent, restingAfter: 1) {
        Answering(respond, rest: rest)
      }
      try listener.start()
      defer { listener.drain() }
      return try body(path)
    }
  }

  @Test func `idle threads free memory and still answer the next request`() throws {
    let resting = DispatchSemaphore(value: 0)
    let answer: @Sendable (borrowing FastCGIRequest) -> String = { _ in "x" }
    let rest: @Sendable () -> Void = { resting.signal() }
    try withListener(by: answer, rest: rest) { path in
      for _ in 1...2 { #expect(resting.wait(timeout: .now() + .seconds(60)) == .success) }
      let client = try FastCGIClient(path: path)
      client.send([("REQUEST_URI", bytes("/"))])
      #expect(client.receive() == "x")
    }
  }

  @Test func `a health probe succeeds unless the worker's answer is empty or 503`() throws {
    for (answer, isAnswered) in [
      ("Status: 200\r\n\r\nok", true), ("Status: 421\r\n\r\n", true),
      ("Status: 503\r\n\r\n", false),
      ("", false),
    ] {
      let respond: @Sendable (borrowing FastCGIRequest) -> String = { request in
        let isAsked = value("REQUEST_URI", of: request) == "/healthz"
        return isAsked && value("HTTP_HOST", of: request).count == 200 ? answer : ""
      }
      try withListener(by: respond) { path in
        let host = String(repeating: "h", count: 200)
        #expect(HealthProbe(socket: path, host: host).isAnswered() == isAnswered)
      }
    }
  }

  @Test func `a health probe fails when nothing listens or no thread accepts it`() throws {
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let probe = HealthProbe(socket: path, host: "h", timeout: .milliseconds(20))
      #expect(!probe.isAnswered())
      let socket = try Endpoint(path: path).listen(backlog: 8)
      defer { close(socket) }
      #expect(!probe.isAnswered())
    }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `an answer of 300 kB arrives whole`() throws {
    let page = "Status: 200\r\n\r\n" + String(repeating: "x", count: 300_000)
    #expect(try answer(to: [("REQUEST_URI", bytes("/"))]) { _ in page } == page)
  }

  @Test func `a parameter is found by its whole name only, and a missing one is nil`() throws {
    let answer = try answer(to: [("HOSTNAME", bytes("a")), ("HOST", bytes("б")), ("E", [])]) {
      "\(value("HOST", of: $0)) \(value("HOS", of: $0)) [\(value("E", of: $0))]"
    }
    #expect(answer == "б nil []")
  }

  @Test func `a parameter that is not valid UTF-8 is refused`() throws {
    let answer = try answer(to: [("HTTP_COOKIE", [0x61, 0xff])]) { value("HTTP_COOKIE", of: $0) }
    #expect(answer == #"refused("HTTP_COOKIE")"#)
  }

  @Test func `a repeated parameter returns all values in order, and reading one fails`() throws {
    let answer = try answer(to: [("A", bytes("1")), ("B", bytes("x")), ("A", bytes("2"))]) {
      "\(values("A", of: $0)) \(value("A", of: $0))"
    }
    #expect(answer == #"["1", "2"] repeated("A")"#)
  }

  @Test(arguments: [
    ("3", "abc", "complete([97, 98, 99])"), ("", "", "complete([])"), ("0", "", "complete([])"),
    ("", "abc", "complete([97, 98, 99])"), ("11", "", "tooLarge"), ("", "abcdefghijk", "tooLarge"),
    ("99999999999999999999", "", "tooLarge"), ("4", "abc", "broken"), ("2", "abc", "broken"),
    ("-1", "", "broken"), ("3x", "abc", "broken"), ("+3", "abc", "broken"),
  ])
  func `a body over the limit or unequal to its announced length is refused`(
    announced: String, sent: String, expected: String
  ) throws {
    let parameters = [("CONTENT_LENGTH", bytes(announced))]
    let answer = try answer(to: parameters, body: bytes(sent)) { request in
      do { return "\(try request.body(limit: 10))" } catch { return "\(error)" }
    }
    #expect(answer == expected)
  }

  @Test func `a thread survives a broken record and a client that disconnects`() throws {
    let agreeing: @Sendable (borrowing FastCGIRequest) -> String = { _ in "ok" }
    try withListener(by: agreeing) { path in
      for _ in 0..<5 {
        let client = try FastCGIClient(path: path)
        client.sendRaw([9, 9, 9, 9, 0, 0, 0, 0])
        client.close()
        let silent = try FastCGIClient(path: path)
        silent.send([("A", bytes("1"))])
        silent.close()
      }
      let client = try FastCGIClient(path: path)
      client.send([("A", bytes("1"))])
      #expect(client.receive() == "ok")
    }
  }

  @Test func `a thread closes the connection without waiting for the client to close`() throws {
    let answer: @Sendable (borrowing FastCGIRequest) -> String = { _ in "ok" }
    try withListener(by: answer) { path in
      for _ in 0..<5 {
        let client = try FastCGIClient(path: path)
        client.send([("A", bytes("1"))])
        #expect(client.receiveAll() == "ok")
        #expect(client.isAlone)
        client.close()
      }
    }
  }

  @Test func `an answer arrives whole when the request body was not read`() throws {
    let page = String(repeating: "x", count: 100_000)
    let body = [UInt8](repeating: 0x79, count: 60_000)
    #expect(try answer(to: [("A", bytes("1"))], body: body) { _ in page } == page)
  }

  @Test func `draining finishes the request in progress`() throws {
    let begun = try Channel()
    let finish = try Channel()
    try withTemporaryDirectory { directory in
      let socket = try Endpoint(path: "\(directory)/s").listen(backlog: 8)
      defer { close(socket) }
      let listener = try Listener(socket: socket, threads: 1, log: silent) {
        Answering { _ in
          begun.sendByte()
          finish.waitForByte()
          return "finished"
        }
      }
      try listener.start()
      let client = try FastCGIClient(path: "\(directory)/s")
      client.send([("A", bytes("1"))])
      begun.waitForByte()
      let draining = try SystemThread { listener.drain() }
      finish.sendByte()
      #expect(client.receive() == "finished")
      draining.join()
    }
  }

  @Test func `a reserve thread answers while all threads are busy with long requests`() throws {
    let finish = try Channel()
    try withTemporaryDirectory { directory in
      let path = "\(directory)/s"
      let socket = try Endpoint(path: path).listen(backlog: 8)
      defer { close(socket) }
      let listener = try Listener(socket: socket, threads: 1, log: silent) {
        Answering { request in
          if value("A", of: request) == "long" { finish.waitForByte() }
          return value("A", of: request)
        }
      }
      try listener.start()
      let long = try FastCGIClient(path: path)
      long.send([("A", bytes("long"))])
      let other = try FastCGIClient(path: path)
      other.send([("A", bytes("other"))])
      #expect(other.receive() == "other")
      finish.sendByte()
      #expect(long.receive() == "long")
      listener.drain()
    }
  }

  @Test func `clients that send half a record do not block other requests`() throws {
    let answer: @Sendable (borrowing FastCGIRequest) -> String = { _ in "ok" }
    try withListener(by: answer) { path in
      let halves = try (0..<2).map { _ in
        let half = try FastCGIClient(path: path)
        half.sendRaw([1, 1, 0])
        return half
      }
      let client = try FastCGIClient(path: path)
      client.send([("A", bytes("1"))])
      #expect(client.receive() == "ok")
      for half in halves { half.close() }
    }
  }

  @Test func `an answer whose writing fails ends without the end-of-request record`() throws {
    struct Fault: Error {}
    try withStream(limit: .seconds(30)) { out in
      for _ in 0..<200 { try out.write([UInt8](repeating: 0x78, count: 1_000)) }
      throw Fault()
    } _: { path in
      let client = try FastCGIClient(path: path)
      client.send([("A", bytes("1"))])
      let (output, isEnded) = client.receiveAnswer()
      #expect(!isEnded && (100_000..<200_000).contains(output.utf8.count))
      client.close()
    }
  }

  @Test func `an answer that the client reads too slowly is aborted within the limit`() throws {
    let failed = try Channel()
    try withStream(limit: .seconds(4)) { out in
      do { while true { try out.write([UInt8](repeating: 0x78, count: 1_000)) } } catch {
        failed.sendByte()
        throw error
      }
    } _: { path in
      let began = ContinuousClock.now
      let client = try FastCGIClient(path: path)
      client.send([("A", bytes("1"))])
      failed.waitForByte()
      #expect(ContinuousClock.now - began < .seconds(4))
      #expect(!client.receiveAnswer().isEnded)
      client.close()
    }
  }

  /// Runs `body` with the socket path of a listener whose answers `write` produces.
  private func withStream(
    limit: Duration, _ write: @escaping @Sendable (ByteSink) throws -> Void,
    _ body: (String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let socket = try Endpoint(path: "\(directory)/s").listen(backlog: 8)
      defer { close(socket) }
      let listener = try Listener(socket: socket, threads: 1, log: silent, limit: limit) {
        Writing(write)
      }
      try listener.start()
      defer { listener.drain() }
      try body("\(directory)/s")
    }
  }

  @Test func `a responder that cannot be created prevents the listener from starting`() throws {
    struct Closed: Error {}
    try withTemporaryDirectory { directory in
      let socket = try Endpoint(path: "\(directory)/s").listen(backlog: 8)
      defer { close(socket) }
      let listener = try Listener(socket: socket, threads: 3, log: silent) { throw Closed() }
      #expect(throws: Closed.self) { try listener.start() }
    }
  }
}

/// The single value of a parameter, "nil", or the name of the error.
private func value(_ name: StaticString, of request: borrowing FastCGIRequest) -> String {
  do {
    return try request.parameter(name) ?? "nil"
  } catch {
    return "\(error)"
  }
}

/// All values of a parameter, or the name of the error.
private func values(_ name: StaticString, of request: borrowing FastCGIRequest) -> String {
  do {
    return "\(try request.parameters(name))"
  } catch {
    return "\(error)"
  }
}
