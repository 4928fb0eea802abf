import Logging
import PolyclinicCore
import PolyclinicVault

/// A retryable failure: the same request may succeed after a short time.
struct RetryableFailure {
  let status: Int
  let span: Seconds
  /// The message above a form that is shown again.
  let text: Text
  let metadata: Logger.Metadata
  /// Not an error if the portal is well, and only serves others first.
  var level: Logger.Level { status == 429 ? .info : .error }
}

extension RetryableFailure {
  /// Nil for a failure that a retry would meet again.
  init?(_ error: any Error) {
    switch error {
    case is HashingBusy:
      self.init(
        status: 429, span: HashingBusy.retryAfter, text: "form.busy",
        metadata: ["reason": "hashing"])
    case is HashingOutOfMemory:
      self.init(
        status: 503, span: HashingOutOfMemory.retryAfter, text: "form.busy",
        metadata: ["reason": "memory"])
    case is LargeFileLimiter.Busy:
      self.init(
        status: 429, span: LargeFileLimiter.Busy.retryAfter, text: "import.busy",
        metadata: ["reason": "large files"])
    case let fault as DatabaseError:
      switch fault.kind {
      case .busy, .full, .readOnly, .missing, .corrupt:
        self.init(status: 503, span: .seconds(5), text: "form.not-saved", metadata: fault.metadata)
      case .unknown:
        self.init(status: 503, span: .seconds(5), text: "form.unknown", metadata: fault.metadata)
      case .unique, .foreignKey, .constraint, .other: return nil
      }
    default: return nil
    }
  }
}

extension DatabaseError {
  package var metadata: Logger.Metadata {
    ["kind": "\(kind)", "code": "\(code)", "detail": "\(detail)"]
  }
}
