import PolyclinicCore

/// What a receptionist books for somebody with an account.
struct DeskBooking: Sendable {
  var booking = BookingRequest()
  /// The login or the e-mail, whole.
  var patient = ""

  static let form = Form(
    DeskBooking(),
    .text(
      \.patient, "patient", required: true, limit: 254, autocomplete: "off",
      hint: "field.patient.hint"),
    .part(\.booking, BookingRequest.form))
}

/// What a receptionist books for somebody without an account, who stands at the desk.
struct NewcomerBooking: Sendable {
  var booking = BookingRequest()
  var newcomer = Newcomer()

  static let form = Form(
    NewcomerBooking(), .part(\.booking, BookingRequest.form),
    .text(\.newcomer.name, "name", required: true, limit: 100, autocomplete: "off")
      .labelled("desk.name"),
    .text(\.newcomer.surname, "surname", limit: 100, autocomplete: "off")
      .labelled("desk.surname"),
    .telephone(\.newcomer.phone, "phone", autocomplete: "off").labelled("desk.phone"),
    .date(\.newcomer.birthDate, "birth_date", autocomplete: "off").labelled("desk.birth-date"))
}

extension AppointmentsModule {
  func startDeskBooking(_ context: Context) throws -> DeskBooking {
    DeskBooking(booking: try startBooking(context))
  }

  func startNewcomerBooking(_ context: Context) throws -> NewcomerBooking {
    NewcomerBooking(booking: try startBooking(context))
  }

  /// The way to the form for those without an account.
  func aboutDeskBooking(_ context: Context) throws -> HTML? {
    let query = context.request.query
    guard context.request.method == .get else { return nil }
    let form: Path = "/appointments/desk/new"
    let path = form.query([
      "doctor": query["doctor"], "date": query["date"], "time": query["time"],
      "offset": query["offset"],
    ])
    return """
      <p class="actions"><a class="button secondary" href="\(path)">\
      \(context.text("desk.without-account"))</a></p>
      """
  }

  func bookAtDesk(
    _ request: DeskBooking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let staff = try Booking.Staff.desk(context)
    let (practice, time) = try bookable(request.booking, by: staff, context, on: connection)
    let patient = try context.portal.people.find(
      request.patient, for: .desk, asking: context.signedIn(), on: connection)
    guard let patient else { throw Refusal.invalid("patient", "desk.unknown-patient") }
    return try book(
      request.booking, time, with: practice.doctor.id, for: patient, by: staff, context,
      on: connection)
  }

  /// Books for a patient, who is told and can read of it; throws ``Refusal/conflict(_:)`` where that one
  /// has another appointment then, which was not pointed out yet.
  func book(
    _ request: BookingRequest, _ time: BookableTime, with doctor: ID<Doctor>,
    for patient: ID<Person>, by staff: Booking.Staff, _ context: Context,
    on connection: Connection
  ) throws -> Path {
    try checkOverlap(at: time, of: patient, context, on: connection)
    let booking = try asConflict {
      try Booking.claim(time, of: doctor, for: patient, at: context.now, on: connection)
    }
    // The appointment is what allows the desk to look at the patient.
    try context.recordChange(
      booking.logged("log.booked", context.portal), of: [patient], for: staff.reason,
      on: connection)
    let keys = try context.keys(of: [patient], for: staff.reason, on: connection)
    guard let keys = keys[patient] else { throw Refusal.notFound }
    try finish(booking, request, by: staff, sealedBy: keys, context, on: connection)
    try booking.tellPatient("notice.booked", from: context, on: connection)
    return booking.changedDay(for: staff.reason)
  }

  /// Throws ``Refusal/conflict(_:)`` where a patient for whom somebody else books has another
  /// appointment at that time that was not pointed out yet.
  func checkOverlap(
    at time: BookableTime, of patient: ID<Person>, besides id: ID<Appointment>? = nil,
    _ context: Context, on connection: Connection
  ) throws {
    if Overlap.isSeen(at: time, context.request.fields) { return }
    if try Booking.overlapping(time.span, of: patient, besides: id, on: connection) != nil {
      throw Refusal.conflict("desk.overlap")
    }
  }

  func bookForNewcomer(
    _ request: NewcomerBooking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let staff = try Booking.Staff.desk(context)
    let (practice, time) = try bookable(request.booking, by: staff, context, on: connection)
    let keys = try context.portal.people.enter(
      request.newcomer, for: .desk, by: context.signedIn(), on: connection)
    let booking = try asConflict {
      try Booking.claim(
        time, of: practice.doctor.id, for: keys.person, at: context.now, on: connection)
    }
    try finish(booking, request.booking, by: staff, sealedBy: keys, context, on: connection)
    return booking.changedDay(for: .desk)
  }

  /// What was asked for, where somebody of the staff may book it: a doctor with themselves, a
  /// receptionist with any doctor of a clinic at whose desk they work. Throws
  /// ``Refusal/invalid(_:_:)`` for all else.
  func bookable(
    _ request: BookingRequest, by staff: Booking.Staff, _ context: Context,
    on connection: Connection
  ) throws -> (Practice, BookableTime) {
    let practice = try request.practice(on: connection)
    guard try staff.books(with: practice.doctor.id, on: connection) else {
      throw Refusal.invalid("doctor", "desk.foreign-doctor")
    }
    return (practice, try chosenTime(request, at: practice, context, on: connection))
  }

  private func finish(
    _ booking: Booking, _ request: BookingRequest, by staff: Booking.Staff,
    sealedBy keys: Keys, _ context: Context, on connection: Connection
  ) throws {
    if !request.purpose.isEmpty {
      try Booking.write(
        Booking.Details(purpose: request.purpose), to: booking.id, by: keys, on: connection)
    }
    try booking.record(by: staff.actor, sealedBy: keys, at: context.now, on: connection)
  }

  /// In spite of another appointment then, or another time.
  func deskInstead(_ context: Context) throws -> [Choice] {
    try context.database.read { try instead(context, on: $0) { _ in true } }
  }

  func showDeskDoctors(_ context: Context) throws -> Response {
    try deskDoctors(at: "/appointments/desk/book", back: "desk", context)
  }

  /// The doctors at whose desks the visitor works, each leading to the free times at `base`.
  func deskDoctors(at base: Path, back: Path, _ context: Context) throws -> Response {
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
      """
      <li><a href="\(base.query(["doctor": doctor.id.description]))"><span><strong>\
      <bdi>\(try doctor.name.opened(by: context.portal.keys))</bdi></strong>\
      <span class="secondary-text">\(context.text(department.specialization.title)) · \
      <bdi>\(BookingWords.name(of: clinic, context))</bdi></span></span></a></li>
      """
    }
    return .page(Page("specialists.doctors", "<ul class=\"rows\">\(rows)</ul>", back: back))
  }

  func showDeskMonth(_ context: Context) throws -> Response {
    try month(
      of: doctor(context), at: "/appointments/desk/book", back: "/appointments/desk/book",
      by: .desk, context)
  }

  func showDeskDay(_ context: Context) throws -> Response {
    try day(
      of: doctor(context), at: "/appointments/desk/book", back: "/appointments/desk/book", context)
  }
}
