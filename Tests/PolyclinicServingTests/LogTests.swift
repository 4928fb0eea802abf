import Glibc
import Logging
import Synchronization
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct LogTests {
  /// Returns the log line of an entry at a fixed time.
  private func line(
    _ message: Logger.Message, _ metadata: Logger.Metadata = [:], error: (any Error)? = nil,
    of handler: LineLogHandler? = nil
  ) -> String {
    let handler =
      handler
      ?? LineLogHandler(label: "worker") {
        timespec(tv_sec: 1_772_357_400, tv_nsec: 125_900_000)
      }
    let event = LogEvent(
      level: .warning, message: message, error: error, metadata: metadata, source: nil, file: "",
      function: "", line: 1)
    return String(decoding: handler.line(of: event), as: UTF8.self)
  }

  @Test func `an entry is one line: time, level, label, message and sorted metadata`() {
    #expect(
      line("ready", ["threads": "4", "pid": "17"])
        == "2026-03-01T09:30:00.125Z warning worker ready pid=17 threads=4\n")
  }

  @Test(arguments: [
    ("two words", #""two words""#), ("", #""""#), ("a=b", #""a=b""#),
    (#"say "no""#, #""say \"no\"""#),
    (#"C:\x"#, #""C:\\x""#), ("Привет", #""Привет""#),
  ])
  func `a value that is not a plain word is quoted`(text: String, written: String) {
    #expect(line("m", ["k": "\(text)"]).hasSuffix(" m k=\(written)\n"))
  }

  @Test(arguments: [
    ("a\nb", #""a\nb""#), ("a\r\nb", #""a\r\nb""#), ("a\tb", #""a\tb""#),
    ("\u{1b}[31m", #""\u{1b}[31m""#),
    ("\u{0}", #""\u{0}""#), ("a\u{2028}b", #""a\u{2028}b""#), ("a\u{202e}b", #""a\u{202e}b""#),
    ("a\u{85}b", #""a\u{85}b""#),
  ])
  func `characters that break a line or control a terminal are escaped`(
    text: String, written: String
  ) {
    #expect(line("\(text)").contains(" worker \(written)\n"))
    #expect(line("m", ["k": "\(text)"]).hasSuffix(" m k=\(written)\n"))
    #expect(line("m", ["\(text)": "v"]).hasSuffix(" m \(written)=v\n"))
  }

  @Test func `an error is logged by its type only`() {
    struct Refused: Error { let name = "Anna" }
    #expect(line("m", error: Refused()).hasSuffix(" m error=Refused\n"))
  }

  @Test func `metadata of the entry overrides metadata of the handler`() {
    var handler = LineLogHandler(label: "l") { timespec() }
    handler[metadataKey: "a"] = "1"
    handler[metadataKey: "b"] = "1"
    #expect(line("m", ["b": "2"], of: handler) == "1970-01-01T00:00:00.000Z warning l m a=1 b=2\n")
  }

  @Test func `a line logged during a request carries the request id`() {
    var handler = LineLogHandler(label: "l") { timespec() }
    handler.metadataProvider = CurrentRequest.metadata
    CurrentRequest.name.id = "3f1c"
    #expect(line("m", of: handler).hasSuffix(" m request=3f1c\n"))
    CurrentRequest.name.id = ""
    #expect(line("m", of: handler).hasSuffix(" m\n"))
  }

  @Test func `the request id is local to its thread`() throws {
    CurrentRequest.name.id = "mine"
    defer { CurrentRequest.name.id = "" }
    let seen = Mutex("")
    try SystemThread { seen.withLock { $0 = "[\(CurrentRequest.name.id)]" } }.join()
    #expect(seen.withLock { $0 } == "[]")
    #expect(CurrentRequest.name.id == "mine")
  }

  @Test func `a line at or above the log level is written whole to the descriptor`() throws {
    let channel = try Channel()
    defer { channel.closeNear() }
    var logger = Logger(label: "x") { label in
      LineLogHandler(label: label, output: channel.far) { timespec() }
    }
    logger.logLevel = .info
    logger.debug("unseen")
    logger.info("seen")
    channel.closeFar()
    var bytes: [UInt8] = []
    while let byte = Channel.receive(from: channel.near) { bytes.append(byte) }
    #expect(String(decoding: bytes, as: UTF8.self) == "1970-01-01T00:00:00.000Z info x seen\n")
  }
}
