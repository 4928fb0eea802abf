/// The reason why no new figures came, as pages and the administrator read it.
enum RefreshFailure: String, Sendable, CaseIterable {
  /// The name of the source's host cannot be resolved.
  case unknownHost = "unknown-host"
  /// Nobody answers there, or the connection broke.
  case unreachable
  /// The answer was not whole in time.
  case slow
  /// The certificate is not the source's.
  case certificate
  /// The source answered with an error.
  case refused
  /// The source leads to another host.
  case elsewhere
  /// More came than any answer of the source has.
  case large
  /// The server has no room for the file that is fetched.
  case noRoom = "no-room"
  /// What came are not the figures that the source is known for.
  case unreadable
  /// The program that fetches is not installed.
  case missingProgram = "missing-program"
  /// Anything else.
  case failed
}

/// A refresh came to nothing, for this reason.
struct RefreshFailed: Error, CustomStringConvertible {
  let reason: RefreshFailure
  /// Details for the log, such as the exit status of curl; they quote nothing of the answer.
  let details: String

  init(_ reason: RefreshFailure, _ details: String = "") {
    self.reason = reason
    self.details = details
  }

  var description: String { reason.rawValue + (details.isEmpty ? "" : " (\(details))") }
}
