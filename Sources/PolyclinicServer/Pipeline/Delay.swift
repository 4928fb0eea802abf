import Logging
import PolyclinicCore

/// Why a request could not be done now, though the same one may be in a moment.
struct Delay {
  let status: Int
  let span: Seconds
  /// What is said above a form that comes back.
  let text: Text
  let metadata: Logger.Metadata

  /// Nil for a failure that the next attempt meets again.
  init?(_ error: any Error) {
    switch error {
    case is HashingBusy:
      self.init(429, HashingBusy.retryAfter, "form.busy", ["reason": "hashing"])
    case is FileTurn.Taken:
      self.init(429, FileTurn.Taken.retryAfter, "import.busy", ["reason": "large files"])
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
  var metadata: Logger.Metadata {
    ["kind": "\(kind)", "code": "\(code)", "detail": "\(detail)"]
  }
}
