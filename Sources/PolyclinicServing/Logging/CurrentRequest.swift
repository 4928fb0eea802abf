import Glibc
import Logging
import PolyclinicSystem

/// The request that the current thread handles: the web server's id of it, and its time limit.
///
/// The id appears in each log line of that request, in the web server's own log, and on error
/// pages.
package enum CurrentRequest {
  /// The thread-specific storage.
  package final class Name {
    package var id = ""
    /// The time by which the response must be sent, as ``Uptime`` in milliseconds; nil between
    /// requests, and in threads that handle none.
    package var deadline: Int64?
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

  /// The milliseconds until the response must be sent, 0 after that time; nil if the thread handles
  /// no request.
  package static var timeLeft: Int? {
    name.deadline.map { Int(max($0 - Uptime.milliseconds, 0)) }
  }

  /// Adds the request's id to every logger of the process.
  package static let metadata = Logger.MetadataProvider {
    let id = name.id
    return id.isEmpty ? [:] : ["request": "\(id)"]
  }
}
