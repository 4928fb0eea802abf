import PolyclinicCore
import PolyclinicPlaces

/// A filter for the list of clinics.
struct ClinicFilter: Sendable {
  /// The search words; empty for any.
  let words: String
  private(set) var onlyPediatric: Bool
  private(set) var onlyHospitals: Bool
  private(set) var specialization: Specialization?
  private(set) var query: SearchText.Query

  /// Reads `q`, `pediatric`, `hospital` and `specialization`. Ignores invalid values.
  init(_ sent: Fields) {
    query = SearchText.Query(sent["q"])
    words = query.isEmpty ? "" : sent["q"]
    onlyPediatric = Self.isOn(sent["pediatric"])
    onlyHospitals = Self.isOn(sent["hospital"])
    specialization = Specialization(rawValue: sent["specialization"])
  }

  /// Returns the filter without words that name nothing; nil if no others are left.
  func leavingOut(_ fillers: Set<[UInt8]>) -> ClinicFilter? {
    var filter = self
    filter.query = query.leavingOut(fillers)
    return filter.query.isEmpty ? nil : filter
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

  /// Returns the names of the set filters, each with the list at `path` without it.
  func chosen(at path: Path, _ context: Context) -> [(name: String, without: Path)] {
    var chosen: [(String, Path)] = []
    func add(_ name: Text, _ remove: (inout ClinicFilter) -> Void) {
      var filter = self
      remove(&filter)
      chosen.append((context.text(name), path.query(filter.fields)))
    }
    if let specialization { add(specialization.title) { $0.specialization = nil } }
    if onlyPediatric { add("clinics.pediatric") { $0.onlyPediatric = false } }
    if onlyHospitals { add("clinics.hospital") { $0.onlyHospitals = false } }
    return chosen
  }

  /// Returns the list that the query of a clinic's page names, and the words of the link to it; nil
  /// for “Back”.
  static func list(in query: Fields, _ context: Context) throws -> (path: Path, label: Text?) {
    let filter = ClinicFilter(query)
    let path = ClinicSearch.path.query(filter.fields.wayBack(from: query.page))
    if filter.isEmpty { return (path, nil) }
    let found = try OpenClinics(in: context).found(
      by: filter, words: ClinicSearchWords.find(filter, context))
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
      Language.allCases.flatMap { [name[$0], streetNames[$0]] }
      + [address.street, address.houseNumber] + towns + countries + children
    return SearchText(parts.joined(separator: " "))
  }
}

/// The words besides the entered ones by which a search finds clinics.
struct ClinicSearchWords {
  let towns: Gazetteer
  /// The everyday words in all languages.
  var specializations: [Specialization: SearchText] = [:]
  /// The words for clinics that treat children, in all languages.
  let children: String
  /// The words that name nothing, in all languages.
  let fillers: Set<[UInt8]>

  init(_ portal: Portal) throws {
    towns = try portal.gazetteer
    children = Clinic.childrenWords(portal)
    fillers = portal.fillers
  }

  /// Returns the words for the filter; nil if it has no search words.
  static func find(_ filter: ClinicFilter, _ context: Context) throws -> ClinicSearchWords? {
    if filter.words.isEmpty { return nil }
    var words = try ClinicSearchWords(context.portal)
    for specialization in Specialization.allCases {
      words.specializations[specialization] = specialization.searchText(context.portal.string)
    }
    return words
  }
}

extension Clinic {
  /// Returns the words for a clinic that treats children, in all languages.
  static func childrenWords(_ portal: Portal) -> String {
    Language.allCases.map { portal.string("clinics.pediatric.words", in: $0) }
      .joined(separator: " ")
  }
}

extension SearchText.Query {
  /// True if every word begins a word of one of the two texts.
  func matches(_ text: SearchText, or other: SearchText?) -> Bool {
    words.allSatisfy {
      text.hasWord(startingWith: $0) || other?.hasWord(startingWith: $0) == true
    }
  }
}

/// The search form for clinics, whose address is that of the page.
struct ClinicFilterForm {
  let filter: ClinicFilter
  /// The specializations to choose from.
  let offered: Set<Specialization>
  /// Corrections of the words if they find no clinic.
  let corrections: [String]
  let context: Context

  var html: HTML {
    let form = FilterForm(
      path: context.request.path, label: "clinics.search.label", words: filter.words,
      count: chosen.count, show: "find.show-clinics", context: context)
    return form.html(
      """
      \(form.specializations(
        "clinics.specialization", any: "clinics.specialization.any", offered,
        chosen: filter.specialization))\
      \(context.checkBox(
        "clinics.pediatric", name: "pediatric", isChecked: filter.onlyPediatric))\
      \(context.checkBox("clinics.hospital", name: "hospital", isChecked: filter.onlyHospitals))
      """)
  }

  private var chosen: [(name: String, without: Path)] {
    filter.chosen(at: context.request.path, context)
  }

  /// The set filters as links to the list without each of them; nil without any.
  var set: HTML? { FilterForm.links(without: chosen, context) }

  /// The message that no clinic matches, with corrections of the words.
  var nothingFound: HTML {
    let emergency = context.emergencyNotice(for: filter.words, findingNothing: true)
    return """
      <div id="results">\(emergency)\(set)\(context.resultCount("clinics.nothing-found"))\
      \(FilterForm.links(to: corrections, at: context.request.path, context))\
      \(context.emptyState(
        .glass, hint: "clinics.nothing-found.hint",
        actions: context.button("clinics.search.clear", to: context.request.path, style: .secondary)))</div>
      """
  }
}
