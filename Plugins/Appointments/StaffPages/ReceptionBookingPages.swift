import PolyclinicCore

/// The reception's pages that book for a patient, with or without an account.
enum ReceptionBookingPages {
  /// Chooses the page at `desk/book`: the doctors, the month, the day, or the form.
  static func choose(_ context: Context) -> Route { step(context, last: form) }

  /// Chooses the page at `desk/new`, where the last page is the form for a patient without an account.
  static func chooseForNewPatient(_ context: Context) -> Route {
    step(context, last: newPatientForm)
  }

  private static func step(_ context: Context, last: Route) -> Route {
    let query = context.request.query
    if context.request.method == .post { return last }
    if query["doctor"].isEmpty { return .get("desk/book", showDoctors) }
    if query["date"].isEmpty { return .get("desk/book", showMonth) }
    return query["time"].isEmpty ? .get("desk/book", showDay) : last
  }

  private static var form: Route {
    .form(
      "desk/book", ReceptionBooking.form, title: "desk.book", cancel: "desk",
      submit: "booking.submit",
      start: start, about: about, instead: alternatives, save: book)
  }

  private static var newPatientForm: Route {
    .form(
      "desk/new", NewPatientBooking.form, title: "desk.new", cancel: "desk",
      submit: "booking.submit", start: startForNewPatient, instead: alternatives,
      save: bookForNewPatient)
  }

  static func start(_ context: Context) throws -> ReceptionBooking {
    ReceptionBooking(booking: try BookingRequest.start(context))
  }

  static func startForNewPatient(_ context: Context) throws -> NewPatientBooking {
    NewPatientBooking(booking: try BookingRequest.start(context))
  }

  /// Returns a link to the form for patients without an account.
  static func about(_ context: Context) throws -> HTML? {
    let query = context.request.query
    guard context.request.method == .get else { return nil }
    let form: Path = "/appointments/desk/new"
    let path = form.query([
      "doctor": query["doctor"], "date": query["date"], "time": query["time"],
      "offset": query["offset"],
    ])
    return """
      \(actions: context.button("desk.without-account", to: path, style: .secondary))
      """
  }

  static func book(
    _ request: ReceptionBooking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let staff = try Booking.Staff.receptionist(context)
    let (placement, time) = try BookingForPatient.find(
      request.booking, by: staff, context, on: connection)
    let patient = try context.portal.people.find(
      request.patient, for: .desk, asking: context.signedIn(), on: connection)
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

  static func showDoctors(_ context: Context) throws -> Response {
    try doctors(at: "/appointments/desk/book", back: "desk", context)
  }

  /// Returns the page of doctors at whose receptions the visitor works. Each links to the free times at `base`.
  static func doctors(at base: Path, back: Path, _ context: Context) throws -> Response {
    let visitor = try context.signedIn()
    let doctors = try context.database.read { connection in
      try Receptionist.clinics(of: visitor.person, on: connection).flatMap { clinic in
        try Department.open(of: clinic.id, on: connection).flatMap { department in
          try Doctor.enabled(of: department.id, on: connection)
            .sorted(by: context.portal.keys).map { (clinic, department, $0) }
        }
      }
    }
    let rows: [HTML] = try doctors.map { clinic, department, doctor in
      HTML.row(
        to: base.query(["doctor": doctor.id.description]),
        "<bdi>\(try doctor.name.opened(by: context.portal.keys))</bdi>",
        detail:
          "\(context.text(department.specialization.title)) · <bdi>\(BookingText.name(of: clinic, context))</bdi>"
      )
    }
    return .page(Page("specialists.doctors", "\(rows: rows)", back: back))
  }

  static func showMonth(_ context: Context) throws -> Response {
    try FreeTimePages.month(
      of: FreeTimePages.doctor(context), at: "/appointments/desk/book",
      back: "/appointments/desk/book",
      context)
  }

  static func showDay(_ context: Context) throws -> Response {
    try FreeTimePages.day(
      of: FreeTimePages.doctor(context), at: "/appointments/desk/book",
      back: "/appointments/desk/book", context)
  }
}
