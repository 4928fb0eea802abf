import PolyclinicCore
import PolyclinicSystem

/// The countries of time zones, from the tzdata package.
enum ZoneCountries {
  /// A line for each zone: the country's ISO 3166-1 code, coordinates and the zone's name,
  /// separated by tabs (tzdata, zone.tab).
  private static let path = "/usr/share/zoneinfo/zone.tab"

  /// Returns the country of a zone; nil for a zone without one, such as UTC, and on a machine
  /// without the list.
  static func country(of zone: Zone) -> String? {
    guard let text = try? TextFile.read(path) else { return nil }
    return country(of: zone.identifier, in: text)
  }

  /// Returns the country of a zone in the text of the list.
  static func country(of zone: String, in text: String) -> String? {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t")
      if columns.count > 2, columns[2] == zone { return String(columns[0]) }
    }
    return nil
  }
}
