import Foundation
import PolyclinicCore
import Synchronization

/// The list of towns beside the files of `www`, read when the first of them is asked for: five megabytes
/// for which no start should wait.
final class GazetteerFile: Sendable {
  private let path: String
  private let gazetteer = Mutex<Gazetteer?>(nil)

  init(directory: String) { path = directory + "/data/gazetteer.txt" }

  /// What was read, once in a process; throws where the file cannot be.
  func contents() throws -> Gazetteer {
    try gazetteer.withLock { known in
      if let known { return known }
      let read = Gazetteer(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      known = read
      return read
    }
  }
}
