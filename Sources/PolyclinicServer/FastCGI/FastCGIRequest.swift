import CFastCGI
import Glibc

/// One request as FastCGI delivered it. It cannot be copied, so it cannot outlive the call that it
/// is lent to.
struct FastCGIRequest: ~Copyable {
  private let request: UnsafeMutablePointer<FCGX_Request>

  init(_ request: UnsafeMutablePointer<FCGX_Request>) {
    self.request = request
  }

  /// The value of the parameter that may stand in a request once; nil when it is absent.
  func parameter(_ name: StaticString) throws(ParameterError) -> String? {
    let values = try parameters(name)
    guard values.count <= 1 else { throw .repeated(name) }
    return values.first
  }

  /// All values of a parameter in their order: the web server passes on each line of a repeated
  /// header, such as Cookie, as a parameter of its own.
  func parameters(_ name: StaticString) throws(ParameterError) -> [String] {
    guard var entry = request.pointee.envp else { return [] }
    var values: [String] = []
    while let text = entry.pointee {
      if let value = Self.value(of: name, in: text) {
        guard let value = String(validatingCString: value) else { throw .notUnicode(name) }
        values.append(value)
      }
      entry += 1
    }
    return values
  }

  /// What follows `NAME=`; nil for another name.
  private static func value(
    of name: StaticString, in text: UnsafeMutablePointer<CChar>
  ) -> UnsafePointer<CChar>? {
    name.withUTF8Buffer { name in
      let start = UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self)
      guard let start, strncmp(text, start, name.count) == 0,
        text[name.count] == CChar(UInt8(ascii: "="))
      else { return nil }
      return UnsafePointer(text + name.count + 1)
    }
  }
}

/// A parameter that cannot be taken as it came.
enum ParameterError: Error {
  /// It is not UTF-8.
  case notUnicode(StaticString)
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
    guard announced.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
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
