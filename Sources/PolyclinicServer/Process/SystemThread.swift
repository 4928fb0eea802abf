import Glibc

/// A thread of the operating system, outside Swift's own pools: what it runs may block.
struct SystemThread: Sendable {
  private let handle: pthread_t

  /// 2 MB of stack: only what is used takes memory.
  init(stack: Int = 2 << 20, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
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

  /// Waits until the thread has ended; to be called at most once.
  func join() {
    pthread_join(handle, nil)
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
