import PolyclinicCore
import PolyclinicPlaces

/// A filter for the list of clinics.
struct ClinicFilter: Sendable {
  /// The search words; empty for any.
  let words: String
  let onlyPediatric: Bool
  let onlyHospitals: Bool
  let specialization: Specialization?
  private let query: SearchText.Query

  /// Reads `q`, `pediatric`, `hospital` and `specialization`. Ignores invalid values.
  init(_ sent: Fields) {
    query = SearchText.Query(sent["q"])
    words = query.isEmpty ? "" : sent["q"]
    onlyPediatric = Self.isOn(sent["pediatric"])
    onlyHospitals = Self.isOn(sent["hospital"])
    specialization = Specialization(rawValue: sent["specialization"])
  }

  private static func isOn(_ value: String) -> Bool { !value.isEmpty && value != "0" }

  /// True if all clinics match.
  var isEmpty: Bool { fields.pairs.isEmpty }

  /// The filter as a query.
  var fields: Fields {
    var fields = Fields()
    if !words.isEmpty { fields.append("q", words) }
    if onlyPediatric { fields.append("pediatric", "1") }
    if onlyHospitals { fields.append("hospital", "1") }
    if let specialization { fields.append("specialization", specialization.rawValue) }
    return fields
  }

  func matches(
    _ clinic: Clinic, treating specializations: Set<Specialization>, towns: Gazetteer?
  ) -> Bool {
    if onlyPediatric && !clinic.isPediatric { return false }
    if onlyHospitals && !clinic.isHospital { return false }
    if let specialization, !specializations.contains(specialization) { return false }
    return query.isEmpty || query.matches(clinic.searchText(towns))
  }
}

extension Clinic {
  /// Returns the names and the address in all languages, so that a search finds the clinic by any of them.
  fileprivate func searchText(_ towns: Gazetteer?) -> SearchText {
    let countries = Language.allCases.compactMap { Countries.name(address.country, in: $0) }
    let towns = towns.map(townNames) ?? [address.city]
    let parts =
      [name.english, name.russian, name.hebrew, address.street, address.houseNumber] + towns
      + countries
    return SearchText(parts.joined(separator: " "))
  }
}
