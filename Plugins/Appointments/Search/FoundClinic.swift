import PolyclinicCore
import PolyclinicPlaces

/// An open clinic as lists and maps show it.
struct FoundClinic: Sendable {
  let clinic: Clinic
  /// The distance in kilometres; nil if the starting place or the clinic's location is unknown.
  let distance: Double?
  /// The opening hours; nil if they were not loaded.
  var opening: OpeningHours?

  init(_ clinic: Clinic, from place: Coordinates? = nil) {
    self.clinic = clinic
    distance = place.flatMap { clinic.coordinates?.distance(to: $0) }
  }
}

/// The open clinics with the open departments, of which a search finds some.
struct OpenClinics {
  let clinics: [Clinic]
  let departments: [Department]

  /// Loads them with one statement.
  init(in work: Work) throws {
    var (clinics, departments): ([Clinic], [Department]) = ([], [])
    try work.forEach(
      """
      SELECT \(Department.columns), \(Clinic.table.columns) FROM \(Clinic.table.name)
      LEFT JOIN appointments_departments
        ON clinic = id_clinic AND appointments_departments.closed_at IS NULL
      WHERE appointments_clinics.closed_at IS NULL ORDER BY id_clinic, id_department
      """
    ) { row in
      let clinic: ID<Clinic> = row.id(Department.columnCount)
      if clinics.last?.id != clinic {
        clinics.append(Clinic.table.record(from: row.from(Department.columnCount)))
      }
      if !row.isNull(0), let department = Department(row) { departments.append(department) }
    }
    self.clinics = clinics
    self.departments = departments.sorted { $0.id < $1.id }
  }

  private var treated: [ID<Clinic>: Set<Specialization>] {
    Dictionary(grouping: departments, by: \.clinic).mapValues { Set($0.map(\.specialization)) }
  }

  /// Returns the clinics that match the filter, in the order of entry. `words` are further words
  /// that the search finds.
  func found(
    by filter: ClinicFilter, words: ClinicSearchWords?, from place: Coordinates? = nil
  ) -> [FoundClinic] {
    let treated = treated
    func matching(_ filter: ClinicFilter) -> [Clinic] {
      clinics.filter { filter.matches($0, treating: treated[$0.id] ?? [], words: words) }
    }
    let exact = matching(filter)
    let keywords = words.flatMap { exact.isEmpty ? filter.leavingOut($0.fillers) : nil }
    return (keywords.map(matching) ?? exact).map { FoundClinic($0, from: place) }
  }

  /// Returns the texts by which the search finds the clinics, each with the words of its
  /// specializations.
  func searchTexts(_ words: ClinicSearchWords) -> [SearchText] {
    let treated = treated
    return clinics.map { clinic in
      let parts = (treated[clinic.id] ?? []).compactMap { words.specializations[$0] }
      return SearchText(joining: [clinic.searchText(words)] + parts.sorted())
    }
  }
}

extension Collection<FoundClinic> {
  /// Returns the clinics with their opening hours, for rows that say if a clinic is open. Runs two
  /// statements.
  func withOpeningHours(_ context: Context) throws -> [FoundClinic] {
    zip(self, try OpeningHours.find(of: map(\.clinic), in: context)).map { clinic, opening in
      var found = clinic
      found.opening = opening
      return found
    }
  }
}

extension [FoundClinic] {
  func byName(in language: Language) -> [FoundClinic] {
    let named = map { (name: SearchText($0.clinic.name.string(in: language)), found: $0) }
    return named.sorted { ($0.name, $0.found.clinic.id) < ($1.name, $1.found.clinic.id) }
      .map(\.found)
  }

  /// Returns the nearest clinics first, those with an unknown distance last.
  func byDistance() -> [FoundClinic] {
    func key(_ found: FoundClinic) -> (Double, ID<Clinic>) {
      (found.distance ?? .infinity, found.clinic.id)
    }
    return sorted { key($0) < key($1) }
  }

  /// The clinic nearest to the starting place; nil if no distance is known.
  var nearest: ID<Clinic>? {
    let known = filter { $0.distance != nil }
    return known.byDistance().first?.clinic.id
  }
}

extension FoundClinic {
  /// Returns a linked row with name, state, kind, address and distance. `number` is the clinic's
  /// number on the map. `wayBack` is the query that leads back from the clinic's page to the list.
  func row(
    number: Int? = nil, isNearest: Bool = false, wayBack: Fields = Fields(), _ context: Context
  ) -> HTML {
    let nearest: HTML? = isNearest ? " \(context.badge("clinics.nearest", .good))" : nil
    let state: HTML? = opening?.badge(context).map { " \($0)" }
    let address: HTML = """
      <span class="secondary-text">\(clinic.addressLine(context))</span>
      """
    let path = ClinicPage.path(clinic.id).query(wayBack)
    let name: HTML = "<bdi>\(clinic.name.string(in: context.language))</bdi>"
    let details: HTML =
      "\(nearest)\(state)\(clinic.badges(context))\(address)\(distanceText(context))"
    if number == nil, let phone = clinic.phoneLink {
      return .row(
        content: """
          <div class="clinic"><strong><a href="\(path)">\(name)</a></strong>\(details)\
          <span class="secondary-text">\(phone)</span></div>
          """)
    }
    return .row(
      to: path, content: "<strong>\(name)</strong>\(details)", lead: number.map { "\($0)" })
  }

  private func distanceText(_ context: Context) -> HTML? {
    distance.map { "<span class=\"secondary-text\">\(context.distance($0))</span>" }
  }
}

extension Clinic {
  func badges(_ context: Context) -> HTML {
    let kinds: [(Bool, Text)] = [
      (isPediatric, "clinics.pediatric.badge"), (isHospital, "clinics.hospital.badge"),
      (isStepFree, "clinics.step-free.badge"),
    ]
    return "\(each: kinds.filter(\.0), { " \(context.badge($0.1))" })"
  }
}

extension Context {
  /// Returns a distance as text, with one decimal below 10 km. More is not needed on foot.
  func distance(_ kilometres: Double) -> String {
    let digits = kilometres < 10 ? 1 : 0
    let number = formats.number(kilometres, fractionDigits: digits)
    return text("clinics.distance", ["distance": number])
  }
}
