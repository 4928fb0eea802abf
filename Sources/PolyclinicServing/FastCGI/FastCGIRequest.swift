import CFastCGI
import Glibc
import PolyclinicCore

/// A request as received over FastCGI. It is noncopyable, so that it cannot outlive the call that
/// it is lent to.
package struct FastCGIRequest: ~Copyable {
  private let request: UnsafeMutablePointer<FCGX_Request>
  /// The parameters, split once: a request has about thirty, and the server reads a dozen of them.
  private let entries: [Entry]

  init(_ request: UnsafeMutablePointer<FCGX_Request>) {
    self.request = request
    entries = Entry.all(in: request.pointee.envp)
  }

  /// Returns the value of a parameter that may appear once; nil if it is absent. Throws
  /// ``ParameterError`` if it is repeated or invalid.
  func parameter(_ name: StaticString) throws(ParameterError) -> String? {
    var found: Entry?
    for entry in entries where entry.isNamed(name) {
      guard found == nil else { throw .repeated(name) }
      found = entry
    }
    return try found?.text(of: name)
  }

  /// True for a method whose requests the web server may send again after a broken connection.
  var isRepeatable: Bool {
    let methods = repairedParameters("REQUEST_METHOD")
    return methods == ["GET"] || methods == ["HEAD"]
  }

  /// Returns all values of a parameter in order. The web server passes each line of a repeated
  /// header, such as Cookie, as a separate parameter.
  func parameters(_ name: StaticString) throws(ParameterError) -> [String] {
    var values: [String] = []
    for entry in entries where entry.isNamed(name) { values.append(try entry.text(of: name)) }
    return values
  }

  /// Returns all values of a parameter, with invalid UTF-8 replaced.
  ///
  /// Use it for headers that other servers can influence, such as cookies of another port of the
  /// host. They must not lock a user out.
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

/// An error in a parameter of the request.
enum ParameterError: Error {
  /// ``IncomingText`` refuses the value.
  case refused(StaticString)
  /// A parameter that may appear once was repeated.
  case repeated(StaticString)
}

extension FastCGIRequest {
  /// The result of reading a request's body.
  enum Body: Equatable {
    case complete([UInt8])
    /// The announced or the received length exceeds the limit.
    case tooLarge
    /// The body does not have its announced length, or the announced length is not a number.
    case broken
  }

  /// Reads the body; call it once for each request. A body that is announced as too large is not
  /// read.
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
