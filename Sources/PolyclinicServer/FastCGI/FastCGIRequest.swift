import CFastCGI
import Glibc
import PolyclinicCore

/// One request as FastCGI delivered it. It cannot be copied, so it cannot outlive the call that it
/// is lent to.
struct FastCGIRequest: ~Copyable {
  private let request: UnsafeMutablePointer<FCGX_Request>
  /// Taken apart once: a request has some thirty parameters, of which a dozen are asked for.
  private let entries: [Entry]

  init(_ request: UnsafeMutablePointer<FCGX_Request>) {
    self.request = request
    entries = Entry.all(in: request.pointee.envp)
  }

  /// The value of the parameter that may stand in a request once; nil when it is absent.
  func parameter(_ name: StaticString) throws(ParameterError) -> String? {
    var found: Entry?
    for entry in entries where entry.isNamed(name) {
      guard found == nil else { throw .repeated(name) }
      found = entry
    }
    return try found?.text(of: name)
  }

  /// All values of a parameter in their order: the web server passes on each line of a repeated
  /// header, such as Cookie, as a parameter of its own.
  func parameters(_ name: StaticString) throws(ParameterError) -> [String] {
    var values: [String] = []
    for entry in entries where entry.isNamed(name) { values.append(try entry.text(of: name)) }
    return values
  }

  /// All values of a parameter, what is not UTF-8 in them replaced: for header fields that others set
  /// for this browser too, as cookies of another port of the host, and that must not lock anybody out.
  func repairedParameters(_ name: StaticString) -> [String] {
    var values: [String] = []
    for entry in entries where entry.isNamed(name) { values.append(entry.repairedText) }
    return values
  }

  /// One `NAME=value` in the library's memory.
  private struct Entry {
    private let start: UnsafeMutablePointer<CChar>
    private let equals: UnsafeMutablePointer<CChar>

    static func all(in list: FCGX_ParamArray?) -> [Entry] {
      var entries: [Entry] = []
      guard var place = list else { return entries }
      entries.reserveCapacity(40)
      while let start = place.pointee {
        if let equals = strchr(start, Int32(UInt8(ascii: "="))) {
          entries.append(Entry(start: start, equals: equals))
        }
        place += 1
      }
      return entries
    }

    func isNamed(_ name: StaticString) -> Bool {
      equals - start == name.utf8CodeUnitCount && memcmp(start, name.utf8Start, equals - start) == 0
    }

    private var incoming: IncomingText {
      equals.withMemoryRebound(to: UInt8.self, capacity: 1) {
        IncomingText(UnsafeBufferPointer(start: $0 + 1, count: strlen(equals + 1)))
      }
    }

    var repairedText: String { incoming.repaired }

    func text(of name: StaticString) throws(ParameterError) -> String {
      guard let text = incoming.text else { throw .refused(name) }
      return text
    }
  }
}

/// A parameter that cannot be taken as it came.
enum ParameterError: Error {
  /// ``IncomingText`` refuses it.
  case refused(StaticString)
  /// It came more than once where one value is meant.
  case repeated(StaticString)
}

extension FastCGIRequest {
  /// What came after the head of a request.
  enum Body: Equatable {
    case complete([UInt8])
    /// More than the limit, by what was announced or by what came.
    case tooLarge
    /// Not as long as was announced, or announced in no number.
    case broken
  }

  /// Reads the body; once a request. One that is announced as too large is not read at all.
  func body(limit: Int) throws(ParameterError) -> Body {
    guard let announced = try parameter("CONTENT_LENGTH"), !announced.isEmpty else {
      let bytes = read(limit + 1)
      return bytes.count > limit ? .tooLarge : finished(bytes)
    }
    guard announced.utf8.allSatisfy(\.isASCIIDigit) else {
      return .broken
    }
    guard let length = Int(announced), length <= limit else { return .tooLarge }
    let bytes = read(length + 1)
    return bytes.count == length ? finished(bytes) : .broken
  }

  private func finished(_ bytes: [UInt8]) -> Body {
    FCGX_GetError(request.pointee.in) == 0 ? .complete(bytes) : .broken
  }

  private func read(_ capacity: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        count = Int(FCGX_GetStr(buffer.baseAddress, Int32(capacity), request.pointee.in))
      }
    }
  }
}
