import PolyclinicCore

/// The reception's pages that book for a patient: the search for the patient, the doctors, the
/// times, and a form for a patient who was found, or for one who is named by login or e-mail.
enum ReceptionBookingPages {
  private static let loginPath: Path = "/appointments/desk/book/login"

  static let route = route(at: "desk/book", ReceptionBooking.formOfChosen, step)

  static let routeByLogin = route(at: "desk/book/login", ReceptionBooking.form) { _, context in
    let query = context.request.query
    return query["doctor"].isEmpty || !query.hasTime
      ? .redirect(to: PatientSearchPage.path.query(query)) : nil
  }

  private static func route(
    at path: Path, _ form: Form<ReceptionBooking>,
    _ before: @escaping @Sendable (BookingAttempt, Context) throws -> Response?
  ) -> Route {
    .form(
      path, form, title: "reception.book", cancel: "desk", access: .role(.receptionist),
      submit: "booking.submit", subject: attempt, before: before,
      origin: { $0.times(at: PatientSearchPage.path) },
      start: { attempt, context in
        ReceptionBooking(booking: try attempt.start(), chosen: context.choices["patient_id"])
      },
      about: about, instead: { attempt, _ in try attempt.choices }, save: book
    ).leadingBack(to: "desk/book")
  }

  /// Returns the attempt for the patient who was chosen from a search, or who is named by login or
  /// e-mail in the form.
  @Sendable
  private static func attempt(_ context: Context) throws -> BookingAttempt {
    let login = context.request.fields["patient"]
    let patient =
      try login.isEmpty
      ? SealedSearchValue.chosenPatient(in: context)
      : context.portal.people.find(login, for: .reception, in: context)
    return BookingAttempt(context, for: patient, by: try .receptionist(context))
  }

  /// Returns the page in place of the form.
  @Sendable
  private static func step(_ attempt: BookingAttempt, _ context: Context) throws -> Response? {
    let query = context.request.query
    let isSearch = ["search", "found"].contains(where: query.contains)
    if query["patient_id"].isEmpty, isSearch || query["doctor"].isEmpty {
      return try search(attempt, context)
    }
    if query["doctor"].isEmpty { return try showDoctors(context) }
    if !query.hasTime {
      return try showTimes(
        at: PatientSearchPage.path, above: patient(context)?.heading(context), context)
    }
    return query["patient_id"].isEmpty ? .redirect(to: loginPath.query(query)) : nil
  }

  private static func showDoctors(_ context: Context) throws -> Response {
    let patient = try patient(context)
    let ahead = try patient.flatMap { try appointments(ahead: $0.person, context) }
    let correction = try patient.flatMap { try PatientCorrection.link(for: $0.person, context) }
    return try doctors(
      at: PatientSearchPage.path, back: "desk",
      above: "\(patient?.heading(context))\(actions: correction)\(ahead)",
      keeping: kept(context), context)
  }

  /// Returns the chosen patient, the time, and without a chosen patient the links to the search and
  /// to the form for patients without an account. Uses a write transaction, because showing the
  /// patient's name adds an entry to their access log.
  @Sendable
  private static func about(_ attempt: BookingAttempt, _ context: Context) throws -> HTML? {
    if let patient = try patient(context) {
      return """
        \(patient.heading(context))\(try attempt.sameDay)\(try attempt.summaryForStaff)
        """
    }
    let chosen = context.choices.beforePatient
    var search = chosen
    search.append("search", "1")
    return """
      \(try attempt.summaryForStaff)\(actions:
        context.button("reception.search", to: PatientSearchPage.path.query(search), style: .secondary),
        context.button(
          "reception.without-account", to: Path("/appointments/desk/new").query(chosen),
          style: .secondary))
      """
  }

  /// Returns the patient who was chosen from a search; nil if none was. Throws ``Refusal/notFound``
  /// for an unknown one.
  private static func patient(_ context: Context) throws -> Portal.FoundPerson? {
    guard let person = try SealedSearchValue.chosenPatient(in: context) else { return nil }
    let found = try context.write {
      try context.portal.people.found(person, for: .reception, in: $0)
    }
    guard let found else { throw Refusal.notFound }
    return found
  }

  private static func kept(_ context: Context) -> Fields {
    let number = context.request.query["patient_id"]
    return number.isEmpty ? Fields() : Fields(["patient_id": number])
  }

  /// Shows the search, and the people whom it has found.
  private static func search(_ attempt: BookingAttempt, _ context: Context) throws -> Response {
    let query = context.request.query
    let search = try PatientSearch(query, context)
    let chosen = query.beforePatient
    let list = try WalkInPages.listInQuery(context)
    return .page(
      try PatientSearchPage(
        found: try search.map { ($0, try $0.patients(context)) },
        others: try others(chosen, context), chosen: chosen,
        summary: chosen["time"].isEmpty
          ? try list?.heading(context) : try attempt.summaryForStaff,
        times: context.times(at: PatientSearchPage.path), context: context
      ).page)
  }

  /// Returns the other ways to book: the doctors, or the link to book the chosen time for oneself.
  private static func others(_ chosen: Fields, _ context: Context) throws -> HTML {
    if chosen.pairs.isEmpty {
      guard
        let doctors = try doctorRows(at: PatientSearchPage.path, keeping: Fields(), context)
      else { return HTML() }
      return "<h2>\(context.text("reception.search.doctor-first"))</h2>\(doctors)"
    }
    if chosen["time"].isEmpty { return HTML() }
    return """
      \(actions: context.button(
        "reception.for-myself", to: BookingForm.forMyself(chosen), style: .plain))
      """
  }

  @Sendable
  private static func book(
    _ draft: ReceptionBooking, _ attempt: BookingAttempt, _ context: Context
  ) throws -> Path {
    _ = try attempt.requested()
    if let patient = attempt.patient, !draft.chosen.isEmpty,
      try context.portal.people.found(patient, for: .reception, in: context) == nil
    {
      throw Refusal.invalid(SealedSearchValue.field, "reception.unknown-patient")
    }
    if attempt.patient == nil {
      throw Refusal.invalid("patient", "reception.unknown-patient")
    }
    return try attempt.bookForPatient(purpose: draft.booking.purpose)
  }

  /// Returns the page of doctors at whose receptions the visitor works. Each links to the free
  /// times at `base`.
  static func doctors(
    at base: Path, title: Text = "specialists.doctors", back: Path, above: HTML? = nil,
    keeping kept: Fields = Fields(), _ context: Context
  ) throws -> Response {
    let rows = try doctorRows(at: base, keeping: kept, context)
    let nobody = context.emptyState(
      .screen, "reception.no-doctors", hint: "reception.no-doctors.hint")
    return .page(Page(title, "\(above)\(rows ?? nobody)", back: back))
  }

  /// Returns the doctors at whose receptions the visitor works; nil if none of them sees patients.
  private static func doctorRows(
    at base: Path, keeping kept: Fields, _ context: Context
  ) throws -> HTML? {
    let own = try Receptionist.clinics(of: context.signedIn().person, in: context)
    let departments = try Department.open(in: context)
    let doctors = Dictionary(
      grouping: try Doctor.enabled(of: departments.map(\.id), in: context), by: \.department)
    let placements = try own.flatMap { clinic in
      try departments.filter { $0.clinic == clinic.id }.flatMap { department in
        try (doctors[department.id] ?? []).sorted(by: context.portal.keys)
          .map { DoctorPlacement(doctor: $0, department: department, clinic: clinic) }
      }
    }
    if placements.isEmpty { return nil }
    let next = try Availability.next(1, times: 1, of: placements, context)
    let rows = try zip(placements, next).map {
      try row($0, next: $1.firstTime, at: base, keeping: kept, context)
    }
    return "\(rows: rows)"
  }

  private static func row(
    _ placement: DoctorPlacement, next: Slot?, at base: Path, keeping kept: Fields,
    _ context: Context
  ) throws -> HTML {
    var chosen = kept
    chosen.append("doctor", placement.doctor.id.description)
    let next = next.map {
      context.text("specialists.next", ["time": BookingText.shortDateTime($0, context)])
    }
    return .row(
      to: base.query(chosen),
      "<bdi>\(try placement.doctor.name.shown(context))</bdi>",
      detail: "\(placement.place(context))<br>\(next ?? context.text("specialists.next.none"))")
  }

  static func showTimes(at base: Path, above: HTML?, _ context: Context) throws -> Response {
    let kept = kept(context)
    return try FreeTimePages(base: base, back: base.query(kept), above: above, kept: kept)
      .show(FreeTimePages.doctor(context), context)
  }
}
