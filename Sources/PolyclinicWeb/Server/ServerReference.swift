import PolyclinicCore
import Synchronization

/// The server that the handlers of built-in modules use. The list of modules exists before it, so
/// it is set once, when the server is complete.
package final class ServerReference: Sendable {
  private struct Held {
    // Weak, because the server holds its modules' portals, which hold this.
    weak var server: ServerContext?
  }

  private let held = Mutex(Held())

  package init() {}

  func set(_ server: ServerContext) { held.withLock { $0.server = server } }

  fileprivate var server: ServerContext? { held.withLock { $0.server } }
}

extension ServerReference: Capability {}

extension Context {
  /// Returns the server, for the handlers of built-in modules.
  package func server() throws -> ServerContext {
    guard let server = portal.find(ServerReference.self)?.server else { throw Refusal.notFound }
    return server
  }
}

extension ServerContext {
  /// Logs a security event of a request at once, although the request may fail.
  package func log(_ event: SecurityEvent, of context: Context) {
    securityLog.write(
      event, from: context.request.client, by: context.visitor?.person, at: context.now)
  }
}
