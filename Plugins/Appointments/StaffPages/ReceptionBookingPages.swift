import PolyclinicCore

/// The reception's pages that book for a patient, with or without an account.
enum ReceptionBookingPages {
  /// Chooses the page at `desk/book`: the search for the patient, the doctors, the times, or the
  /// form.
  static func choose(_ context: Context) -> Route {
    let request = context.request
    let query = request.query
    let isSearch = ["search", "found"].contains(where: query.contains)
    if request.method == .get, query["patient_id"].isEmpty, isSearch || query["doctor"].isEmpty {
      return .get("desk/book", search)
    }
    return step(
      context, doctors: showDoctors,
      times: { try showTimes(at: PatientSearchPage.path, above: patient($0)?.heading($0), $0) },
      last: form(context))
  }

  /// Chooses the page: the doctors, the times of the chosen one, or the form.
  static func step(
    _ context: Context, doctors: @escaping Route.Handler, times: @escaping Route.Handler,
    last: Route
  ) -> Route {
    let query = context.request.query
    if context.request.method == .post { return last }
    if query["doctor"].isEmpty { return .get("desk/book", doctors) }
    return FreeTimePages.step(query, times: times, last: last)
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

  private static func form(_ context: Context) -> Route {
    let isChosen = !RequestedTime.fields(context)["patient_id"].isEmpty
    return .form(
      "desk/book", isChosen ? ReceptionBooking.formOfChosen : ReceptionBooking.form,
      title: "reception.book",
      cancel: RequestedTime.times(at: PatientSearchPage.path, context) ?? "desk",
      submit: "booking.submit", start: start, about: about,
      instead: alternatives, save: book)
  }

  static func start(_ context: Context) throws -> ReceptionBooking {
    ReceptionBooking(
      booking: try BookingRequest.start(context),
      chosen: RequestedTime.fields(context)["patient_id"])
  }

  /// Returns the chosen patient, the time, and without a chosen patient the links to the search and
  /// to the form for patients without an account. Uses a write transaction, because showing the
  /// patient's name adds an entry to their access log.
  static func about(_ context: Context) throws -> HTML? {
    let patient = try patient(context)
    let summary = try summary(for: patient?.person, context)
    if let patient {
      let same = try BookingForPatient.sameDay(
        of: patient.person, as: .receptionist(context), context)
      return "\(patient.heading(context))\(same)\(summary)"
    }
    let chosen = RequestedTime.chosen(in: RequestedTime.fields(context))
    var search = chosen
    search.append("search", "1")
    return """
      \(summary)\(actions:
        context.button("reception.search", to: PatientSearchPage.path.query(search), style: .secondary),
        context.button(
          "reception.without-account", to: Path("/appointments/desk/new").query(chosen),
          style: .secondary))
      """
  }

  static func summary(for patient: ID<Person>? = nil, _ context: Context) throws -> HTML? {
    try RequestedTime.summaryForStaff(for: patient, context)
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
  private static func search(_ context: Context) throws -> Response {
    let query = context.request.query
    let search = try PatientSearch(query, context)
    let chosen = RequestedTime.chosen(in: query)
    let list = try WalkInPages.listInQuery(context)
    return .page(
      try PatientSearchPage(
        found: try search.map { ($0, try $0.patients(context)) },
        others: try others(chosen, context), chosen: chosen,
        summary: chosen["time"].isEmpty
          ? try list?.heading(context) : try summary(context),
        times: RequestedTime.times(at: PatientSearchPage.path, context), context: context
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
        "reception.for-myself", to: OwnBookingAtReception.link(to: chosen), style: .plain))
      """
  }

  static func book(
    _ request: ReceptionBooking, _ context: Context
  ) throws -> Path {
    let staff = try Booking.Staff.receptionist(context)
    let (placement, time) = try BookingForPatient.find(request.booking, by: staff, context)
    let chosen = try SealedSearchValue.chosenPatient(in: context).flatMap {
      try context.portal.people.found(
        $0, for: .reception, in: context)
    }
    guard
      let patient = try chosen?.person
        ?? person(called: request.patient, context)
    else {
      throw Refusal.invalid(
        request.chosen.isEmpty ? "patient" : SealedSearchValue.field, "reception.unknown-patient")
    }
    return try BookingForPatient.book(
      request.booking, time, with: placement.doctor.id, for: patient, by: staff, context)
  }

  /// Returns the person with exactly this login or e-mail; nil if there is none.
  private static func person(
    called login: String, _ context: Context
  ) throws -> ID<Person>? {
    try context.portal.people.find(
      login, for: .reception, in: context)
  }

  /// Returns the alternatives: the same time in spite of another appointment, or another time.
  static func alternatives(_ context: Context) throws -> [Choice] {
    let sent = RequestedTime.fields(context)
    let patient =
      try SealedSearchValue.chosenPatient(in: context)
      ?? person(called: sent["patient"], context)
    return try AlternativeTimes.choices(context) { time in
      try patient.map { try Booking.overlapping(time.span, of: $0, in: context) != nil }
        ?? false
    }
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
    let next = try Availability.next(of: placements, context)
    let rows = try zip(placements, next).map {
      try row($0, next: $1, at: base, keeping: kept, context)
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
