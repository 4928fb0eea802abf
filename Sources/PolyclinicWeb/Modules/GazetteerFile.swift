import Foundation
import PolyclinicCore
import PolyclinicPlaces
import Synchronization

/// The gazetteer file in `www`. It is read on first use, because its five megabytes
/// would delay every start.
package final class GazetteerFile: Towns {
  private let path: String
  private let loaded = Mutex<Gazetteer?>(nil)
  private let cities: Cities

  init(directory: String, cities: Cities) {
    path = directory + "/data/gazetteer.txt"
    self.cities = cities
  }

  package func largest(in country: String, language: Language, limit: Int) -> [String] {
    cities.suggestions(in: country, language: language, limit: limit)
  }

  /// Returns the gazetteer, which is read once in a process. Throws if the file cannot be read.
  package func gazetteer() throws -> Gazetteer {
    try loaded.withLock { known in
      if let known { return known }
      let read = Gazetteer(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      known = read
      return read
    }
  }
}
