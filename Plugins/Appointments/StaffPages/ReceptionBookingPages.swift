import PolyclinicCore

/// The reception's pages that book for a patient, with or without an account.
enum ReceptionBookingPages {
  /// Chooses the page at `desk/book`: the search for the patient, the doctors, the times, or the form.
  static func choose(_ context: Context) -> Route {
    let request = context.request
    let query = request.query
    let isSearch = ["search", "found"].contains(where: query.contains)
    if request.method == .get, query["patient_id"].isEmpty, isSearch || query["doctor"].isEmpty {
      return .get("desk/book", search)
    }
    return step(context, at: "/appointments/desk/book", last: form(context))
  }

  /// Chooses the page at `desk/new`, where the last page is the form for a patient without an account.
  static func chooseForNewPatient(_ context: Context) -> Route {
    step(context, at: "/appointments/desk/new", last: newPatientForm)
  }

  private static func step(_ context: Context, at base: Path, last: Route) -> Route {
    let query = context.request.query
    if context.request.method == .post { return last }
    if query["doctor"].isEmpty {
      return .get("desk/book") { context in
        let patient = try patient(context)
        let ahead = try patient.flatMap { try appointments(ahead: $0.person, context) }
        return try doctors(
          at: base, back: "desk", above: "\(patient?.heading(context))\(ahead)",
          keeping: kept(context), context)
      }
    }
    return FreeTimePages.step(
      query, times: { try showTimes(at: base, $0) }, last: last)
  }

  private static func form(_ context: Context) -> Route {
    let isChosen = !RequestedTime.fields(context)["patient_id"].isEmpty
    return .form(
      "desk/book", isChosen ? ReceptionBooking.formOfChosen : ReceptionBooking.form,
      title: "desk.book", cancel: "desk", submit: "booking.submit", start: start, about: about,
      instead: alternatives, save: book)
  }

  private static var newPatientForm: Route {
    .form(
      "desk/new", NewPatientBooking.form, title: "desk.new", cancel: "desk",
      submit: "booking.submit", start: startForNewPatient, about: aboutNewPatient,
      instead: alternatives, save: bookForNewPatient)
  }

  static func start(_ context: Context) throws -> ReceptionBooking {
    ReceptionBooking(
      booking: try BookingRequest.start(context),
      chosen: RequestedTime.fields(context)["patient_id"])
  }

  static func startForNewPatient(_ context: Context) throws -> NewPatientBooking {
    NewPatientBooking(booking: try BookingRequest.start(context))
  }

  /// Returns the chosen patient, the time, and without a chosen patient the links to the search and to the form for
  /// patients without an account. Uses a write transaction, because showing the patient's name adds an entry to their access log.
  static func about(_ context: Context) throws -> HTML? {
    let summary = try summary(context)
    if let patient = try patient(context) {
      return "\(patient.heading(context))\(summary)"
    }
    let chosen = PatientSearch.chosen(in: RequestedTime.fields(context))
    var search = chosen
    search.append("search", "1")
    return """
      \(summary)\(actions:
        context.button("desk.search", to: PatientSearchPage.path.query(search), style: .secondary),
        context.button(
          "desk.without-account", to: Path("/appointments/desk/new").query(chosen),
          style: .secondary))
      """
  }

  static func aboutNewPatient(_ context: Context) throws -> HTML? { try summary(context) }

  private static func summary(_ context: Context) throws -> HTML? {
    try context.database.read { try RequestedTime.summaryForStaff(context, on: $0) }
  }

  /// Returns the patient who was chosen from a search; nil if none was. Throws ``Refusal/notFound`` for an unknown one.
  private static func patient(_ context: Context) throws -> Portal.FoundPerson? {
    let number = RequestedTime.fields(context)["patient_id"]
    if number.isEmpty { return nil }
    guard let person = ID<Person>(number) else { throw Refusal.notFound }
    let visitor = try context.signedIn()
    let found = try context.database.write {
      try context.portal.people.found(person, for: .desk, asking: visitor, on: $0)
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
    let found = try PatientSearch(query)?.patients(context)
    let chosen = PatientSearch.chosen(in: query)
    let doctors =
      try chosen.pairs.isEmpty
      ? doctorRows(at: PatientSearchPage.path, keeping: Fields(), context) : nil
    return .page(
      PatientSearchPage(found: found, doctors: doctors, chosen: chosen, context: context).page)
  }

  static func book(
    _ request: ReceptionBooking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let staff = try Booking.Staff.receptionist(context)
    let (placement, time) = try BookingForPatient.find(
      request.booking, by: staff, context, on: connection)
    let people = context.portal.people
    let patient =
      request.chosen.isEmpty
      ? try people.find(
        request.patient, for: .desk, asking: context.signedIn(), on: connection)
      : try ID<Person>(request.chosen).flatMap {
        try people.found($0, for: .desk, asking: context.signedIn(), on: connection)?.person
      }
    guard let patient else { throw Refusal.invalid("patient", "desk.unknown-patient") }
    return try BookingForPatient.book(
      request.booking, time, with: placement.doctor.id, for: patient, by: staff, context,
      on: connection)
  }

  static func bookForNewPatient(
    _ request: NewPatientBooking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let staff = try Booking.Staff.receptionist(context)
    let (placement, time) = try BookingForPatient.find(
      request.booking, by: staff, context, on: connection)
    let keys = try context.portal.people.enter(
      request.newPatient, for: .desk, by: context.signedIn(), on: connection)
    let booking = try DoctorTime.orConflict {
      try Booking.claim(
        time, of: placement.doctor.id, for: keys.person, at: context.now, on: connection)
    }
    try BookingForPatient.finish(
      booking, request.booking, by: staff, sealedBy: keys, context, on: connection)
    return booking.changedDay(for: .desk)
  }

  /// Returns the alternatives: the same time in spite of another appointment, or another time.
  static func alternatives(_ context: Context) throws -> [Choice] {
    try context.database.read { try AlternativeTimes.choices(context, on: $0) { _ in true } }
  }

  /// Returns the page of doctors at whose receptions the visitor works. Each links to the free times at `base`.
  static func doctors(
    at base: Path, back: Path, above: HTML? = nil, keeping kept: Fields = Fields(),
    _ context: Context
  ) throws -> Response {
    .page(
      Page(
        "specialists.doctors", "\(above)\(try doctorRows(at: base, keeping: kept, context))",
        back: back))
  }

  private static func doctorRows(
    at base: Path, keeping kept: Fields, _ context: Context
  ) throws -> HTML {
    let visitor = try context.signedIn()
    return try context.database.read { connection in
      let placements = try Receptionist.clinics(of: visitor.person, on: connection).flatMap {
        clinic in
        try Department.open(of: clinic.id, on: connection).flatMap { department in
          try Doctor.enabled(of: department.id, on: connection).sorted(by: context.portal.keys)
            .map { DoctorPlacement(doctor: $0, department: department, clinic: clinic) }
        }
      }
      return
        "\(rows: try placements.map { try row($0, at: base, keeping: kept, context, on: connection) })"
    }
  }

  private static func row(
    _ placement: DoctorPlacement, at base: Path, keeping kept: Fields, _ context: Context,
    on connection: Connection
  ) throws -> HTML {
    var chosen = kept
    chosen.append("doctor", placement.doctor.id.description)
    let next = try Availability.next(of: placement, context, on: connection).map {
      context.text("specialists.next", ["time": BookingText.shortDateTime($0, context)])
    }
    return .row(
      to: base.query(chosen),
      "<bdi>\(try placement.doctor.name.shown(context))</bdi>",
      detail: "\(placement.place(context))<br>\(next ?? context.text("specialists.next.none"))")
  }

  private static func showTimes(at base: Path, _ context: Context) throws -> Response {
    let kept = kept(context)
    return try FreeTimePages(
      base: base, back: base.query(kept), above: patient(context)?.heading(context), kept: kept
    ).show(FreeTimePages.doctor(context), context)
  }
}
