import Logging
import PolyclinicCore
import Synchronization

/// The server that built-in modules get by their initializers.
///
/// The list of modules exists before the server, so the server sets the reference when it is
/// complete.
package final class ServerReference: Sendable {
  private struct Held {
    // Weak, because the server holds its modules, which hold this.
    weak var server: ServerContext?
  }

  private let held = Mutex(Held())

  package init() {}

  /// Returns the server. No handler runs before it is complete.
  package func callAsFunction() -> ServerContext {
    guard let server = held.withLock({ $0.server }) else {
      preconditionFailure("a handler runs without a server")
    }
    return server
  }

  func set(_ server: ServerContext) {
    held.withLock {
      precondition($0.server == nil, "two servers share one list of modules")
      $0.server = server
    }
  }
}

extension ServerContext {
  /// Logs a security event of a request at once, although the request may fail.
  package func log(_ event: SecurityEvent, of context: Context) {
    securityLog.write(event, from: SecurityLog.Sender(context))
  }

  /// Logs a failure that the response to a request does not show.
  package func log(_ failure: FailedRequest, to log: Logger, of context: Context) {
    securityLog.write(failure, to: log, from: SecurityLog.Sender(context))
  }
}

extension SecurityLog.Sender {
  fileprivate init(_ context: Context) {
    self.init(
      client: context.request.client, person: context.visitor?.person, time: context.now)
  }
}
