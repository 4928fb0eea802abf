import Glibc
import Logging

/// The web server's id for the request a thread is handling: it stands in each line that is logged
/// meanwhile, in the web server's own log, and on the pages that say that something failed.
enum CurrentRequest {
  /// Where a thread keeps it.
  final class Name {
    var id = ""
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      if let pointer { Unmanaged<Name>.fromOpaque(pointer).release() }
    }
    precondition(code == 0, "no thread-specific key left: a library in this process took all 1024")
    return key
  }()

  /// That of the calling thread; its id is empty between requests.
  static var name: Name {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<Name>.fromOpaque(pointer).takeUnretainedValue()
    }
    let new = Name()
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  /// For every logger of the process.
  static let metadata = Logger.MetadataProvider {
    let id = name.id
    return id.isEmpty ? [:] : ["request": "\(id)"]
  }
}
