import PolyclinicCore

/// The first steps of a booking: the specialization, then the doctor.
enum SpecialistPages {
  /// The number of doctors on a page.
  private static let pageSize = 20

  /// Returns the page of specializations. The form for an appointment elsewhere is folded up below
  /// them.
  @Sendable
  static func specializations(above form: HTML, _ context: Context) throws -> Page {
    let clinic = ID<Clinic>(context.request.query["clinic"])
    let found = try Specialist.counts(in: clinic, in: context)
    let named = found.map { (name: context.text($0.specialization.title), count: $0) }
      .sorted { SearchText($0.name) < SearchText($1.name) }
    let rows: HTML =
      named.isEmpty
      ? context.emptyState(.calendar, "specialists.none", hint: "specialists.none.hint")
      : """
      \(rows: named, { name, count in
        .row(
          to: path(to: count.specialization, in: clinic), "\(name)",
          detail: "\(context.text("specialists.count", count: count.doctors))")
      })
      """
    let personal: HTML? =
      form.isEmpty
      ? nil
      : """
      <details class="panel"><summary>\(context.text("agenda.personal"))</summary>\
      <p>\(context.text("personal.about"))</p>\(form)</details>
      """
    return Page("specialists.title", "\(rows)\(personal)", back: "")
  }

  static func showDoctors(_ context: Context) throws -> Response {
    let query = context.request.query
    guard let specialization = Specialization(rawValue: query["specialization"]) else {
      throw Refusal.notFound
    }
    let person = context.visitor == nil ? nil : try context.keys.person
    let clinic = ID<Clinic>(query["clinic"])
    let found = try Specialist.all(
      specialization, in: clinic, nearTo: person, in: context.language,
      in: context.with(context.portal.keys))
    // Only the doctors of the page, because anyone may ask and each doctor's next free time is
    // computed.
    let pagination = Page.Pagination(page: query.page, total: found.count, size: pageSize)
    let rows = try found[pagination.range].map { try row($0, context) }
    let pages = context.pageLinks(pagination) {
      path(to: specialization, in: clinic, page: $0)
    }
    let list: HTML =
      rows.isEmpty ? context.emptyState(.person, "specialists.none") : "\(rows: rows)\(pages)"
    return .page(
      Page(
        "specialists.doctors",
        "<p class=\"lead\">\(context.text(specialization.title))</p>\(list)", back: "new"))
  }

  /// Returns a doctor with the clinic's address and the next free time.
  private static func row(
    _ specialist: Specialist, _ context: Context
  ) throws -> HTML {
    guard let placement = try DoctorPlacement.find(specialist.doctor, in: context) else {
      return HTML()
    }
    let next = try Availability.next(1, times: 1, of: [placement], context)[0].firstTime.map {
      context.text("specialists.next", ["time": BookingText.shortDateTime($0, context)])
    }
    let clinic = placement.clinic
    let marks: [HTML] = [
      specialist.isAtOwnClinic ? context.badge("specialists.own-clinic") : nil,
      placement.childrenBadge(context),
    ].compactMap(\.self)
    return .row(
      to: Path("/appointments/book").query(["doctor": specialist.doctor.description]),
      "<bdi>\(specialist.name)</bdi>", mark: marks.isEmpty ? nil : "\(marks)",
      detail: """
        <bdi>\(BookingText.name(of: clinic, context))</bdi>, \
        <bdi>\(clinic.addressLine(context))</bdi><br>\
        \(next ?? context.text("specialists.next.none"))
        """)
  }

  private static func path(
    to specialization: Specialization, in clinic: ID<Clinic>?, page: Int? = nil
  ) -> Path {
    var fields = Fields(["specialization": specialization.rawValue])
    if let clinic { fields.append("clinic", clinic.description) }
    if let page { fields.append("page", String(page)) }
    return Path("/appointments/new").query(fields)
  }
}
