import Glibc

/// The connections of one thread, one for each database that it uses. They are closed when the
/// thread ends.
final class ThreadConnections {
  private var connections: [SQLiteConnection] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      let ended = Unmanaged<ThreadConnections>.fromOpaque(pointer).takeRetainedValue()
      for connection in ended.connections { connection.discard() }
    }
    precondition(code == 0, "no thread-specific key left: a library in this process took all 1024")
    return key
  }()

  /// The connections of the calling thread.
  static var current: ThreadConnections {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<ThreadConnections>.fromOpaque(pointer).takeUnretainedValue()
    }
    let new = ThreadConnections()
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  /// Returns the thread's connection to the database of `open`, created on first use.
  func connection(
    of open: OpenSessions, orMake make: () -> SQLiteConnection
  ) -> SQLiteConnection {
    for connection in connections where connection.belongs(to: open) { return connection }
    connections.removeAll { $0.isAbandoned }
    let new = make()
    connections.append(new)
    return new
  }
}
