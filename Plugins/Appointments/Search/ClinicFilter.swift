import PolyclinicCore
import PolyclinicPlaces

/// A filter for the list of clinics.
struct ClinicFilter: Sendable {
  /// The search words; empty for any.
  let words: String
  let onlyPediatric: Bool
  let onlyHospitals: Bool
  let specialization: Specialization?
  let query: SearchText.Query

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
    if !words.isEmpty { fields.append("q", SearchText.Query.read(words)) }
    if onlyPediatric { fields.append("pediatric", "1") }
    if onlyHospitals { fields.append("hospital", "1") }
    if let specialization { fields.append("specialization", specialization.rawValue) }
    return fields
  }

  /// Returns the list that the query of a clinic's page names, and the words of the link to it; nil
  /// for “Back”.
  static func list(
    in query: Fields, _ context: Context
  ) throws -> (path: Path, label: Text?) {
    let filter = ClinicFilter(query)
    let path = Path("/appointments/clinics").query(filter.fields.wayBack(from: query.page))
    if filter.isEmpty { return (path, nil) }
    let found = try FoundClinic.all(
      matching: filter, from: nil, words: ClinicSearchWords.find(filter, context), in: context)
    return (path, found.isEmpty ? nil : Text("clinics.back", count: found.count))
  }

  /// True if the clinic with departments of these specializations matches. `words` are further
  /// words that the search finds.
  func matches(
    _ clinic: Clinic, treating specializations: Set<Specialization>, words: ClinicSearchWords?
  ) -> Bool {
    if onlyPediatric && !clinic.isPediatric { return false }
    if onlyHospitals && !clinic.isHospital { return false }
    if let specialization, !specializations.contains(specialization) { return false }
    if query.isEmpty { return true }
    let text = clinic.searchText(words)
    return query.matches(text)
      || specializations.contains { query.matches(text, or: words?.specializations[$0]) }
  }
}

extension Clinic {
  /// Returns the names and the address in all languages, so that a search finds the clinic by any
  /// of them.
  func searchText(_ words: ClinicSearchWords?) -> SearchText {
    let countries = Language.allCases.compactMap { Countries.name(address.country, in: $0) }
    let towns = words.map { townNames($0.towns) } ?? [address.city]
    let children = isPediatric ? words.map { [$0.children] } ?? [] : []
    let parts =
      [name.english, name.russian, name.hebrew, address.street, address.houseNumber] + towns
      + countries + children
    return SearchText(parts.joined(separator: " "))
  }
}
