import Glibc

/// A call to the operating system that failed.
package struct SystemError: Error, CustomStringConvertible {
  package let call: StaticString
  package let code: Int32
  package let subject: String?

  /// Uses `errno`, so call it directly after the failed call.
  package init(_ call: StaticString, on subject: String? = nil) {
    self.init(call, errno, on: subject)
  }

  package init(_ call: StaticString, _ code: Int32, on subject: String? = nil) {
    self.call = call
    self.code = code
    self.subject = subject
  }

  package var description: String {
    let reason = String(cString: strerror(code))
    guard let subject else { return "\(call): \(reason)" }
    return "\(call) \(subject): \(reason)"
  }
}
