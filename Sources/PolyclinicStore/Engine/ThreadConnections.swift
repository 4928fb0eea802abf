import Glibc

/// A thread's connection to one database.
protocol ThreadConnection: AnyObject {
  /// True if its database was closed.
  var isAbandoned: Bool { get }
  /// Ends the thread's own session.
  func discard()
}

/// The connections of one thread, one for each database that it uses. They are closed when the
/// thread ends.
final class ThreadConnections {
  /// A connection retains its database, so that no other one gets its address.
  private var connections: [(database: ObjectIdentifier, connection: any ThreadConnection)] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      let ended = Unmanaged<ThreadConnections>.fromOpaque(pointer).takeRetainedValue()
      for (_, connection) in ended.connections { connection.discard() }
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

  /// Returns the thread's connection to the database of this object, created on first use.
  func connection<Kept: ThreadConnection>(of database: AnyObject, orMake make: () -> Kept) -> Kept {
    let database = ObjectIdentifier(database)
    for kept in connections where kept.database == database {
      if let connection = kept.connection as? Kept { return connection }
    }
    connections.removeAll { $0.connection.isAbandoned }
    let new = make()
    connections.append((database, new))
    return new
  }
}
