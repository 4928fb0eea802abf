import PolyclinicCore

/// An open clinic as lists and maps show it.
struct FoundClinic: Sendable {
  let clinic: Clinic
  /// Kilometres from the place that is known; nil where none is, or where the clinic lies is not.
  let distance: Double?

  /// All that match, in the order in which they were entered.
  static func all(
    matching filter: ClinicFilter = ClinicFilter(Fields()), from place: Coordinates?,
    on connection: Connection
  ) throws -> [FoundClinic] {
    var treated: [ID<Clinic>: Set<Specialization>] = [:]
    let departments: [(ID<Clinic>, Specialization?)] = try connection.rows(
      "SELECT clinic, specialization FROM appointments_departments WHERE closed_at IS NULL"
    ) { ($0.id(0), Specialization(rawValue: $0.string(1))) }
    for case (let clinic, let specialization?) in departments {
      treated[clinic, default: []].insert(specialization)
    }
    return try Clinic.open(on: connection).filter {
      filter.matches($0, treating: treated[$0.id] ?? [])
    }.map { clinic in
      FoundClinic(
        clinic: clinic, distance: place.flatMap { clinic.coordinates?.distance(to: $0) })
    }
  }
}

extension [FoundClinic] {
  func byName(in language: Language) -> [FoundClinic] {
    let named = map { (name: SearchText($0.clinic.name.string(in: language)), found: $0) }
    return named.sorted { ($0.name, $0.found.clinic.id) < ($1.name, $1.found.clinic.id) }
      .map(\.found)
  }

  /// The nearest first; those of which it is not known at the end.
  func byDistance() -> [FoundClinic] {
    func key(_ found: FoundClinic) -> (Double, ID<Clinic>) {
      (found.distance ?? .infinity, found.clinic.id)
    }
    return sorted { key($0) < key($1) }
  }

  /// The one that is nearest to the place that is known.
  var nearest: ID<Clinic>? {
    let known = filter { $0.distance != nil }
    return known.byDistance().first?.clinic.id
  }
}

extension FoundClinic {
  /// Name, kind, address and distance, as a row that leads to the clinic; `number` is its mark's on
  /// the map.
  func row(number: Int? = nil, isNearest: Bool = false, _ context: Context) -> HTML {
    let mark: HTML? = number.map { "<span class=\"initial\">\($0)</span>" }
    let nearest: HTML? =
      isNearest ? " <span class=\"badge ok\">\(context.text("clinics.nearest"))</span>" : nil
    let words: HTML = """
      <span><strong><bdi>\(clinic.name.string(in: context.language))</bdi></strong>\(nearest)\
      \(clinic.badges(context))<span class="secondary-text"><bdi>\
      \(clinic.address.line(in: context.language))</bdi></span>\(far(context))</span>
      """
    let content: HTML =
      mark == nil ? words : "<span class=\"with-initial\">\(mark)\(words)</span>"
    return "<li><a href=\"/appointments/clinics/\(clinic.id)\">\(content)</a></li>"
  }

  private func far(_ context: Context) -> HTML? {
    distance.map { "<span class=\"secondary-text\">\(context.distance($0))</span>" }
  }
}

extension Clinic {
  func badges(_ context: Context) -> HTML {
    let kinds: [(Bool, Text)] = [
      (isPediatric, "clinics.pediatric.badge"), (isHospital, "clinics.hospital.badge"),
    ]
    return "\(each: kinds.filter(\.0), { " <span class=\"badge\">\(context.text($0.1))</span>" })"
  }
}

extension PostalAddress {
  /// The address on one line.
  func line(in language: Language) -> String { lines(in: language).joined(separator: ", ") }
}

extension Context {
  /// How far something is, as nobody measures more exactly on foot.
  func distance(_ kilometres: Double) -> String {
    let digits = kilometres < 10 ? 1 : 0
    let number = formats.number(kilometres, fractionDigits: digits)
    return text("clinics.distance", ["distance": number])
  }
}
