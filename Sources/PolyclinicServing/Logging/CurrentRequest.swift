import Glibc
import Logging

/// The web server's id of the request that the current thread handles.
///
/// It appears in each log line of that request, in the web server's own log, and on error pages.
package enum CurrentRequest {
  /// The thread-specific storage of the id.
  package final class Name {
    package var id = ""
    /// Receives each error of the thread's requests; nil outside tests. The portal's log names only
    /// the types of errors, because their texts may quote the user's input.
    package var thrown: ((any Error) -> Void)?
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      if let pointer { Unmanaged<Name>.fromOpaque(pointer).release() }
    }
    precondition(code == 0, "no thread-specific key left: a library in this process took all 1024")
    return key
  }()

  /// The calling thread's id, which is empty between requests.
  package static var name: Name {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<Name>.fromOpaque(pointer).takeUnretainedValue()
    }
    let new = Name()
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  /// Adds the request's id to every logger of the process.
  package static let metadata = Logger.MetadataProvider {
    let id = name.id
    return id.isEmpty ? [:] : ["request": "\(id)"]
  }
}
