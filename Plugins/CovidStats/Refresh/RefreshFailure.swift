import PolyclinicCore

/// The reason of a failed refresh, as shown on pages and to the administrator.
enum RefreshFailure: String, SQL.Storable, CaseIterable {
  /// The host name of the source cannot be resolved.
  case unknownHost = "unknown-host"
  /// The source does not respond, or the connection was lost.
  case unreachable
  /// The response was not complete in time.
  case slow
  /// The certificate is invalid for the source.
  case certificate
  /// The source responded with an error.
  case refused
  /// The source redirected to another host.
  case elsewhere
  /// The response exceeded the size limit.
  case large
  /// The server has no disk space for the download.
  case noRoom = "no-room"
  /// The response does not contain figures in the format of the source.
  case unreadable
  /// A program for the download is not installed.
  case missingProgram = "missing-program"
  /// Any other error.
  case failed

  /// A reason that only a later release knows is ``failed``.
  init?(_ row: Row, column: Int) {
    self = RefreshFailure(rawValue: row.string(column)) ?? .failed
  }
}

/// A refresh failed for this reason.
struct RefreshFailed: Error, CustomStringConvertible {
  let reason: RefreshFailure
  /// Details for the log, such as the exit status of curl. They do not quote the response.
  let details: String

  init(_ reason: RefreshFailure, _ details: String = "") {
    self.reason = reason
    self.details = details
  }

  var description: String { reason.rawValue + (details.isEmpty ? "" : " (\(details))") }
}
