import PolyclinicCore

/// A filter for the list of doctors, and its order.
struct DoctorFilter: Sendable {
  /// The search words; empty for any.
  let words: String
  /// True if only doctors who are free now match.
  var onlyAvailable: Bool
  let specialization: Specialization?
  let clinic: ID<Clinic>?
  let order: Order
  var query: SearchText.Query

  /// The order of the list.
  enum Order: String, CaseIterable, Sendable { case name, next }

  /// True if all doctors match.
  var isEmpty: Bool {
    words.isEmpty && !onlyAvailable && specialization == nil && clinic == nil
  }

  /// Reads a query. Ignores invalid values.
  init(_ sent: Fields) {
    query = SearchText.Query(Self.withoutTitle(sent["q"]))
    words = query.isEmpty ? "" : sent["q"]
    onlyAvailable = sent["available"] == "1"
    specialization = Specialization(rawValue: sent["specialization"])
    clinic = ID(sent["clinic"])
    order = Order(rawValue: sent["sort"]) ?? .name
  }

  /// Returns the words after a title such as “Dr.”, which no stored name has.
  private static func withoutTitle(_ typed: String) -> String {
    // A bounded part, because lowercasing takes time.
    let beginning = String(typed.prefix(longestTitle)).lowercased()
    guard let title = titles.first(where: { beginning.hasPrefix($0 + " ") }) else { return typed }
    return String(typed.dropFirst(title.count + 1))
  }

  private static let titles = [
    "dr", "dr.", "doctor", "prof", "prof.", "professor", "врач", "доктор", "д-р", "профессор",
    "ד\"ר", "ד״ר", "דר",
    "דר'", "דוקטור", "פרופ'", "פרופ׳", "פרופסור",
  ]
  private static let longestTitle = 12

  /// The filter without the condition that doctors are free now.
  var withoutAvailability: DoctorFilter {
    var filter = self
    filter.onlyAvailable = false
    return filter
  }

  /// Returns the address of a page of the filtered list.
  func path(page: Int) -> Path {
    var fields = fields
    fields.append("page", String(page))
    return DoctorList.path.query(fields)
  }

  /// The filter as a query.
  var fields: Fields {
    var fields = Fields()
    if !words.isEmpty { fields.append("q", SearchText.Query.read(words)) }
    if onlyAvailable { fields.append("available", "1") }
    if let specialization { fields.append("specialization", specialization.rawValue) }
    if let clinic { fields.append("clinic", clinic.description) }
    if order != .name { fields.append("sort", order.rawValue) }
    return fields
  }

  /// Returns the list that the query of a doctor's page names, and the words of the link to it; nil
  /// for “Back”.
  static func list(in query: Fields, _ context: Context) throws -> (path: Path, label: Text?) {
    let filter = DoctorFilter(query)
    let path = DoctorList.path.query(filter.fields.wayBack(from: query.page))
    if filter.isEmpty { return (path, nil) }
    let found = try ListedDoctor.all(for: filter, at: OpenClinics(in: context), context)
      .found(by: filter, context).doctors
    return (path, found.isEmpty ? nil : Text("doctors.back", count: found.count))
  }
}

/// The search form of the list of doctors.
struct DoctorFilterForm {
  let found: FoundDoctors
  let context: Context

  private var filter: DoctorFilter { found.filter }

  var html: HTML {
    let form = FilterForm(
      path: DoctorList.path, label: "find.label", words: filter.words, context: context)
    return form.html(
      """
      \(form.specializations(
        "doctors.specialization", any: "doctors.any", Set(found.listed.map(\.specialization)),
        chosen: filter.specialization))\
      \(form.select(
        "doctors.clinic", "clinic", any: "doctors.any-clinic", clinics,
        chosen: filter.clinic?.description))\
      \(form.select("find.sort", "sort", orders, chosen: filter.order.rawValue))\
      \(context.checkBox("doctors.available", name: "available", isChecked: filter.onlyAvailable,
        hint: "doctors.available.hint"))
      """)
  }

  /// The clinics of the listed doctors.
  private var clinics: [(value: String, name: String)] {
    var names: [ID<Clinic>: String] = [:]
    for clinic in found.listed.map(\.placement.clinic) {
      names[clinic.id] = clinic.name.string(in: context.language)
    }
    return names.map { ($0.key.description, $0.value) }
  }

  private var orders: [(value: String, name: String)] {
    DoctorFilter.Order.allCases.map {
      ($0.rawValue, context.text(Text("find.sort.\($0.rawValue)")))
    }
  }
}

extension Fields {
  /// Returns a list's query with which its links lead to a doctor or a clinic, so that the visitor
  /// comes back to the same page of the list.
  func wayBack(from page: Int) -> Fields {
    var fields = self
    if page > 1 { fields.append("page", String(page)) }
    return fields
  }
}
