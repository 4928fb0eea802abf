import Glibc
import Synchronization

/// A thread of the operating system, outside Swift's own pools, so that its code may block.
package struct SystemThread: Sendable {
  private let handle: pthread_t

  /// Starts the thread. The stack of 2 MB takes only the memory that is used. Throws
  /// ``SystemError`` if the system refuses the thread.
  package init(stack: Int = 2 << 20, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stack)
    let work = Unmanaged.passRetained(Work(body: body))
    var handle = pthread_t()
    let code = pthread_create(
      &handle, &attributes,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw SystemError("pthread_create", code)
    }
    self.handle = handle
  }

  /// Waits until the thread has ended. Call it at most once.
  package func join() {
    pthread_join(handle, nil)
  }

  /// Runs `body` in a new thread and waits for it. Throws the error of `body`.
  package static func result(_ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    try SystemThread { outcome.result.withLock { $0 = Result(catching: body) } }.join()
    try outcome.result.withLock { $0 }.get()
  }

  private final class Outcome: Sendable {
    let result = Mutex<Result<Void, any Error>>(.success(()))
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
