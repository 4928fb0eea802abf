import Glibc

/// A call to the operating system that failed.
struct SystemError: Error, CustomStringConvertible {
  let call: StaticString
  let code: Int32
  let subject: String?

  /// Takes the code of the call that has just failed.
  init(_ call: StaticString, on subject: String? = nil) {
    self.init(call, errno, on: subject)
  }

  init(_ call: StaticString, _ code: Int32, on subject: String? = nil) {
    self.call = call
    self.code = code
    self.subject = subject
  }

  var description: String {
    let reason = String(cString: strerror(code))
    guard let subject else { return "\(call): \(reason)" }
    return "\(call) \(subject): \(reason)"
  }
}
