import PolyclinicCore

/// The first steps of a booking: the specialization, then the doctor.
enum SpecialistPages {
  static func showSpecializations(_ context: Context) throws -> Response {
    let clinic = ID<Clinic>(context.request.query["clinic"])
    let found = try context.database.read { try Specialist.counts(in: clinic, on: $0) }
    let title: Text = "specialists.title"
    if found.isEmpty {
      return .page(
        Page(
          title,
          context.emptyState(.calendar, "specialists.none"), back: ""))
    }
    let rows: HTML = """
      \(rows: found, { count in
        .row(
          to: path(to: count.specialization, in: clinic),
          "\(context.text(count.specialization.title))",
          detail: "\(context.text("specialists.count", count: count.doctors))")
      })
      """
    return .page(Page(title, rows, back: ""))
  }

  static func showDoctors(_ context: Context) throws -> Response {
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
      ? context.emptyState(.person, "specialists.none")
      : "\(rows: doctors, { row($0, context) })"
    return .page(
      Page(
        "specialists.doctors",
        "<p class=\"lead\">\(context.text(specialization.title))</p>\(rows)",
        back: Path("/appointments/new").query(["with": "doctor"])))
  }

  private static func row(_ specialist: Specialist, _ context: Context) -> HTML {
    let own: HTML? =
      specialist.isAtOwnClinic
      ? context.badge("specialists.own-clinic") : nil
    return .row(
      to: Path("/appointments/new").query(["doctor": specialist.doctor.description]),
      "<bdi>\(specialist.name)</bdi>", mark: own,
      detail:
        "<bdi>\(specialist.clinic.string(in: context.language))</bdi>, <bdi>\(specialist.city)</bdi>"
    )
  }

  private static func path(to specialization: Specialization, in clinic: ID<Clinic>?) -> Path {
    let base: Path = "/appointments/new"
    guard let clinic else { return base.query(["specialization": specialization.rawValue]) }
    return base.query([
      "specialization": specialization.rawValue, "clinic": clinic.description,
    ])
  }
}
