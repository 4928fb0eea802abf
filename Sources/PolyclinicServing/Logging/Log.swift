@preconcurrency import Glibc
import Logging
import PolyclinicCore
import PolyclinicSystem

/// Writes each entry as one line with one `write(2)`, so that lines of several processes never mix:
/// `2026-03-01T09:30:00.125Z warning supervisor "worker ended" number=2 signal=9`.
///
/// - A line written during a request carries the request's id, from ``CurrentRequest``.
/// - Characters that could break a line or a terminal are escaped.
/// - An error is logged as its type only, because its text may quote personal data.
package struct LineLogHandler: LogHandler {
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let output: Int32
  private let clock: @Sendable () -> timespec

  package init(
    label: String, level: Logger.Level = .info, output: Int32 = STDERR_FILENO,
    clock: @escaping @Sendable () -> timespec = LineLogHandler.now
  ) {
    self.label = label
    self.logLevel = level
    self.output = output
    self.clock = clock
  }

  /// Sends the log of the whole process to standard error. Call it once, at start-up.
  package static func bootstrap(level: Logger.Level) {
    LoggingSystem.bootstrap(
      { label, provider in
        var handler = LineLogHandler(label: label, level: level)
        handler.metadataProvider = provider
        return handler
      }, metadataProvider: CurrentRequest.metadata)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    do throws(SystemError) {
      try OpenFile.write(line(of: event), to: output)
    } catch {
      // A failure to write the log is ignored, because there is no other place to report it.
    }
  }

  package func line(of event: LogEvent) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(160)
    Self.append(clock(), to: &line)
    line.append(UInt8(ascii: " "))
    line.append(contentsOf: event.level.rawValue.utf8)
    line.append(UInt8(ascii: " "))
    Self.append(label, to: &line)
    line.append(UInt8(ascii: " "))
    Self.append("\(event.message)", to: &line)
    for (key, value) in merged(event).sorted(by: { $0.key < $1.key }) {
      line.append(UInt8(ascii: " "))
      Self.append(key, to: &line)
      line.append(UInt8(ascii: "="))
      Self.append("\(value)", to: &line)
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private func merged(_ event: LogEvent) -> Logger.Metadata {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    if let error = event.error { all["error"] = "\(type(of: error))" }
    return all
  }

  @Sendable private static func now() -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}

extension LineLogHandler {
  /// Appends the time in RFC 3339 format, UTC, to the millisecond.
  private static func append(_ time: timespec, to line: inout [UInt8]) {
    var seconds = time.tv_sec
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int, _ count: Int) {
      let text = String(value)
      line.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, count - text.count)))
      line.append(contentsOf: text.utf8)
    }
    digits(Int(parts.tm_year) + 1_900, 4)
    for (separator, value) in [
      ("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min),
      (":", parts.tm_sec),
    ] {
      line.append(contentsOf: separator.utf8)
      digits(Int(value), 2)
    }
    line.append(UInt8(ascii: "."))
    digits(time.tv_nsec / 1_000_000, 3)
    line.append(UInt8(ascii: "Z"))
  }

  /// Appends a plain word unchanged, and any other text in quotes with unprintable characters
  /// escaped.
  private static func append(_ text: String, to line: inout [UInt8]) {
    if !text.isEmpty && text.utf8.allSatisfy(isPlain) {
      return line.append(contentsOf: text.utf8)
    }
    line.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        line.append(UInt8(ascii: "\\"))
        line.append(UInt8(scalar.value))
      case "\n": line.append(contentsOf: "\\n".utf8)
      case "\r": line.append(contentsOf: "\\r".utf8)
      case "\t": line.append(contentsOf: "\\t".utf8)
      default:
        if isHidden(scalar) {
          line.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
        } else {
          line.append(contentsOf: String(scalar).utf8)
        }
      }
    }
    line.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
      && byte != UInt8(ascii: "\\")
  }

  /// True for scalars that are not printed, by Unicode general category. These include format
  /// characters, which can reverse the direction of a line, and line and paragraph separators.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    default: false
    }
  }
}
