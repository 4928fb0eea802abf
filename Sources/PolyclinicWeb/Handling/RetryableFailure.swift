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

  /// Nil for a failure that a retry would meet again.
  init?(_ error: any Error) {
    switch error {
    case is HashingBusy:
      self.init(429, HashingBusy.retryAfter, "form.busy", ["reason": "hashing"])
    case is HashingOutOfMemory:
      self.init(503, HashingOutOfMemory.retryAfter, "form.busy", ["reason": "memory"])
    case is LargeFileLimiter.Busy:
      self.init(429, LargeFileLimiter.Busy.retryAfter, "import.busy", ["reason": "large files"])
    case let fault as DatabaseError:
      switch fault.kind {
      case .busy, .full, .readOnly, .missing, .corrupt:
        self.init(503, .seconds(5), "form.not-saved", fault.metadata)
      case .unique, .foreignKey, .constraint, .other: return nil
      }
    default: return nil
    }
  }

  private init(_ status: Int, _ span: Seconds, _ text: Text, _ metadata: Logger.Metadata) {
    self.status = status
    self.span = span
    self.text = text
    self.metadata = metadata
  }
}

extension DatabaseError {
  package var metadata: Logger.Metadata {
    ["kind": "\(kind)", "code": "\(code)", "detail": "\(detail)"]
  }
}
