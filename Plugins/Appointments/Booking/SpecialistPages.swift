import PolyclinicCore

/// The first steps to a booking: what is wanted, then from whom.
extension AppointmentsModule {
  func showSpecializations(_ context: Context) throws -> Response {
    let clinic = ID<Clinic>(context.request.query["clinic"])
    let found = try context.database.read { try Specialist.counts(in: clinic, on: $0) }
    let title: Text = "specialists.title"
    if found.isEmpty {
      return .page(
        Page(
          title,
          """
          <section class="empty">\(context.icon(.calendar))<h2>\(context.text("specialists.none"))</h2></section>
          """, back: ""))
    }
    let rows: HTML = """
      <ul class="rows">\(each: found, { count in
        """
        <li><a href="\(path(to: count.specialization, in: clinic))"><span><strong>\
        \(context.text(count.specialization.title))</strong><span class="secondary-text">\
        \(context.text("specialists.count", count: count.doctors))</span></span></a></li>
        """
      })</ul>
      """
    return .page(Page(title, rows, back: ""))
  }

  func showDoctors(_ context: Context) throws -> Response {
    let query = context.request.query
    guard let specialization = Specialization(rawValue: query["specialization"]) else {
      throw Refusal.notFound
    }
    let doctors = try context.database.read {
      try Specialist.all(
        specialization, in: ID(query["clinic"]), nearTo: context.keys, on: $0)
    }
    let rows: HTML =
      doctors.isEmpty
      ? "<section class=\"empty\">\(context.icon(.person))<h2>\(context.text("specialists.none"))</h2></section>"
      : "<ul class=\"rows\">\(each: doctors, { row($0, context) })</ul>"
    return .page(
      Page(
        "specialists.doctors",
        "<p class=\"lead\">\(context.text(specialization.title))</p>\(rows)",
        back: Path("/appointments/new").query(["with": "doctor"])))
  }

  private func row(_ specialist: Specialist, _ context: Context) -> HTML {
    let own: HTML? =
      specialist.isAtOwnClinic
      ? " <span class=\"badge\">\(context.text("specialists.own-clinic"))</span>" : nil
    return """
      <li><a href="\(Path("/appointments/new").query(["doctor": specialist.doctor.description]))"><span>\
      <strong><bdi>\(specialist.name)</bdi></strong>\(own)<span class="secondary-text">\
      <bdi>\(specialist.clinic.string(in: context.language))</bdi>, <bdi>\(specialist.city)</bdi>\
      </span></span></a></li>
      """
  }

  private func path(to specialization: Specialization, in clinic: ID<Clinic>?) -> Path {
    let base: Path = "/appointments/new"
    guard let clinic else { return base.query(["specialization": specialization.rawValue]) }
    return base.query([
      "specialization": specialization.rawValue, "clinic": clinic.description,
    ])
  }
}

/// A doctor with whom something can be booked, as the list of a specialization shows one.
struct Specialist: Sendable {
  let doctor: ID<Doctor>
  let name: String
  let clinicID: ID<Clinic>
  let clinic: LocalizedText
  let city: String
  let isAtOwnClinic: Bool

  /// How many doctors of a specialization there are.
  struct Count: Sendable {
    let specialization: Specialization
    let doctors: Int
  }

  private static let open: SQL = """
    FROM appointments_doctors AS doctors
    JOIN appointments_departments AS departments ON id_department = department
    JOIN appointments_clinics AS clinics ON id_clinic = departments.clinic
    WHERE doctors.person IS NOT NULL AND disabled_at IS NULL AND departments.closed_at IS NULL AND clinics.closed_at IS NULL
    """

  /// The specializations of a clinic, or of all, in which something can be booked.
  static func counts(in clinic: ID<Clinic>?, on connection: Connection) throws -> [Count] {
    let only: SQL = clinic.map { "AND id_clinic = \($0)" } ?? ""
    return try connection.rows(
      """
      SELECT specialization, count(*) \(open) \(only)
      GROUP BY specialization ORDER BY count(*) DESC, specialization
      """
    ) { row in
      Specialization(rawValue: row.string(0)).map {
        Count(specialization: $0, doctors: row.int(1))
      }
    }.compactMap(\.self)
  }

  /// The doctors of a specialization, those of the person's own clinic first.
  static func all(
    _ specialization: Specialization, in clinic: ID<Clinic>?, nearTo keys: Keys,
    on connection: Connection
  ) throws -> [Specialist] {
    let only: SQL = clinic.map { "AND id_clinic = \($0)" } ?? ""
    let found = try connection.rows(
      """
      SELECT \(DoctorName.columns), id_clinic, name_en, name_ru, name_he, city, EXISTS (
        SELECT 1 FROM appointments_chosen_clinics AS chosen
        WHERE chosen.person = \(keys.person) AND chosen.clinic = id_clinic) AS own
      \(open) AND specialization = \(specialization.rawValue) \(only)
      """
    ) { row in
      let place = row.from(DoctorName.columnCount)
      return Specialist(
        doctor: row.id(0), name: try DoctorName(row).opened(by: keys), clinicID: place.id(0),
        clinic: LocalizedText(
          english: place.string(1), russian: place.string(2), hebrew: place.string(3)),
        city: place.string(4), isAtOwnClinic: place.bool(5))
    }
    let named = found.map { (rank: $0.isAtOwnClinic ? 0 : 1, name: SearchText($0.name), one: $0) }
    return named.sorted {
      ($0.rank, $0.one.clinicID, $0.name, $0.one.doctor)
        < ($1.rank, $1.one.clinicID, $1.name, $1.one.doctor)
    }.map(\.one)
  }
}
