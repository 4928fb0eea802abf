import PolyclinicCore

/// An appointment as programs send and get it: with one of the portal's doctors, or elsewhere.
struct ProgramAppointment: Sendable {
  var doctor: Int?
  var department: Int?
  var clinic: Int?
  var date: CalendarDate?
  var time: TimeOfDay?
  /// Which of the two times is meant where clocks show it twice.
  var offset = ""
  var location = ""
  /// The doctor of an appointment elsewhere, in the owner's words; that of a booking is only answered.
  var doctorName = ""
  var purpose = ""
  /// In spite of another appointment at that time.
  var overlaps = false
  /// What it is stored as.
  var stored = Stored.nothing

  enum Stored: Sendable {
    case nothing
    case booking(Booking)
    case personal(PersonalAppointment)
  }

  static let form = Form(
    ProgramAppointment(),
    number(\.doctor, "doctor"), number(\.department, "department"), number(\.clinic, "clinic"),
    .date(\.date, "date", required: true),
    .time(\.time, "time", required: true),
    .text(\.offset, "offset", limit: 6).labelled("booking.offset"),
    .text(\.location, "location", limit: 300, hint: "field.location.hint"),
    .text(\.doctorName, "doctor_name", limit: 200).labelled("personal.doctor"),
    .lines(\.purpose, "purpose", limit: 2_000),
    .check(\.overlaps, "overlap").labelled("booking.overlap.book")
  ).requiring("location") { appointment in
    if appointment.doctor == nil { return appointment.location.isEmpty ? "error.required" : nil }
    return appointment.location.isEmpty ? nil : "program.location"
  }

  private static func number(
    _ value: WritableKeyPath<ProgramAppointment, Int?> & Sendable, _ name: String
  ) -> Field<ProgramAppointment> {
    .integer(value, name, in: 1...999_999_999_999).labelled(Text("booking.\(name)"))
  }
}

extension ProgramAppointment {
  init(_ booking: Booking, at practice: Practice?, purpose: String) {
    let time = BookableTime(span: booking.span, zone: booking.zone)
    doctor = Int(booking.doctor.rawValue)
    department = practice.map { Int($0.department.id.rawValue) }
    clinic = practice.map { Int($0.clinic.id.rawValue) }
    date = time.local.date
    self.time = TimeOfDay(hour: time.local.hour, minute: time.local.minute)
    offset = time.offset ?? ""
    self.purpose = purpose
    stored = .booking(booking)
  }

  init(_ appointment: PersonalAppointment) {
    date = appointment.date
    time = appointment.time
    location = appointment.location
    doctorName = appointment.doctorName
    purpose = appointment.purpose
    stored = .personal(appointment)
  }

  /// As the booking's page would send it.
  var request: BookingRequest {
    var request = BookingRequest()
    request.doctor = doctor.map(String.init) ?? ""
    request.department = department.map(String.init) ?? ""
    request.clinic = clinic.map(String.init) ?? ""
    request.date = date
    request.time = time
    request.offset = offset
    request.purpose = purpose
    return request
  }

  /// What is stored of one elsewhere, in place of what was.
  func personal(over stored: PersonalAppointment = PersonalAppointment()) -> PersonalAppointment {
    var appointment = stored
    appointment.date = date
    appointment.time = time
    appointment.location = location
    appointment.doctorName = doctorName
    appointment.purpose = purpose
    return appointment
  }
}

extension AppointmentsModule {
  /// Appointments of both kinds over JSON, by the same paths through the code as on the pages.
  var appointmentResource: Resource {
    Resource(
      called: "Appointment",
      about: .init(
        """
        Appointments: with one of the portal's doctors, where `doctor` is given, at one of the doctor's \
        free times; elsewhere, where `location` is. A time that somebody else has is refused with 409, \
        and `instead` holds the nearest free ones; at a time when one has another appointment, \
        `overlap` books all the same. Who has as many ahead as one person can book is refused with 409 \
        too. To replace one with a doctor is to move it, until the clinic's limit before it begins; what \
        is over stays as it was.
        """,
        deleting: """
          Cancels an appointment with a doctor, which stays there as cancelled (200), and is refused \
          with 409 once it cannot be cancelled any more. One elsewhere is deleted (204), and can be \
          taken back for thirty days on the portal's pages.
          """),
      form: ProgramAppointment.form, rest: Self.answeredBesides,
      .init(
        list: listForPrograms, find: findForPrograms, create: createByProgram,
        replace: replaceByProgram, delete: deleteByProgram, instead: insteadForPrograms))
  }

  private typealias Found = Resource.Found<ProgramAppointment>

  private static let answeredBesides: [JSON.Member] = {
    let time: JSON = ["type": ["string", "null"], "format": "date-time"]
    let states: [JSON] = Appointment.Status.allCases.map { .string($0.rawValue) }
    return [
      JSON.Member("kind", ["type": "string", "enum": ["booking", "personal"]]),
      JSON.Member(
        "status",
        [
          "type": ["string", "null"], "enum": .array(states + [.null]),
          "description": "As FHIR R4 has it (Appointment.status); null for one elsewhere.",
        ]),
      JSON.Member("starts_at", time), JSON.Member("ends_at", time),
      JSON.Member("time_zone", ["type": "string"]),
      JSON.Member("specialization", ["type": "string"]),
      JSON.Member("clinic_name", ["type": "string"]),
    ]
  }()

  @Sendable
  private func listForPrograms(
    after: Int64, limit: Int, _ context: Context, _ connection: Connection
  ) throws -> [Found] {
    let numbers: [Int64] = try connection.rows(
      """
      SELECT id_appointment FROM appointments
      WHERE person = \(context.keys.person) AND id_appointment > \(after) AND deleted_at IS NULL
      ORDER BY id_appointment LIMIT \(limit)
      """
    ) { Int64($0.int(0)) }
    return try numbers.compactMap { try findForPrograms($0, context, connection) }
  }

  @Sendable
  private func findForPrograms(
    _ id: Int64, _ context: Context, _ connection: Connection
  ) throws -> Found? {
    let keys = try context.keys
    if let booking = try Booking.find(ID(id), of: keys.person, on: connection) {
      return try found(booking, by: keys, on: connection)
    }
    return try PersonalAppointment.records.find(ID(id), by: keys, on: connection)
      .map { found($0, id) }
  }

  private func found(
    _ booking: Booking, by keys: Keys, on connection: Connection
  ) throws -> Found {
    let practice = try Practice.find(booking.doctor, on: connection)
    let purpose = try booking.details(by: keys).purpose
    var answered = ProgramAppointment(booking, at: practice, purpose: purpose)
    answered.doctorName = try practice?.doctor.name.opened(by: keys) ?? ""
    func time(_ moment: Instant) -> JSON {
      .string(ZonedTime(moment, in: booking.zone).description)
    }
    return Found(
      booking.id.rawValue, answered,
      rest: [
        JSON.Member("kind", "booking"), JSON.Member("status", .string(booking.status.rawValue)),
        JSON.Member("starts_at", time(booking.span.lowerBound)),
        JSON.Member("ends_at", time(booking.span.upperBound)),
        JSON.Member("time_zone", .string(booking.zone.identifier)),
        JSON.Member(
          "specialization", .string(practice?.department.specialization.rawValue ?? "")),
        JSON.Member("clinic_name", .string(practice?.clinic.name.string(in: .english) ?? "")),
      ])
  }

  private func found(_ appointment: PersonalAppointment, _ id: Int64) -> Found {
    let zone = Zone(appointment.zone) ?? .utc
    let start = appointment.startsAt.map { ZonedTime($0, in: zone).description }
    return Found(
      id, ProgramAppointment(appointment),
      rest: [
        JSON.Member("kind", "personal"), JSON.Member("status", .null),
        JSON.Member("starts_at", start.map { .string($0) } ?? .null),
        JSON.Member("ends_at", .null),
        JSON.Member("time_zone", .string(zone.identifier)),
        JSON.Member("specialization", ""), JSON.Member("clinic_name", ""),
      ])
  }

  @Sendable
  private func createByProgram(
    _ sent: ProgramAppointment, _ context: Context, _ connection: Connection
  ) throws -> Int64 {
    if sent.doctor == nil {
      return try insertPersonal(sent.personal(), context, connection).rawValue
    }
    return try claim(sent.request, context, connection).id.rawValue
  }

  @Sendable
  private func replaceByProgram(
    _ sent: ProgramAppointment, _ found: Found, _ context: Context, _ connection: Connection
  ) throws {
    switch found.draft.stored {
    case .nothing: throw Refusal.notFound
    case .personal(let appointment):
      if sent.doctor != nil { throw Refusal.invalid("doctor", "program.kind") }
      if let startsAt = appointment.startsAt, startsAt <= context.now {
        throw Refusal.conflict("personal.over")
      }
      _ = try updatePersonal(sent.personal(over: appointment), context, connection)
    case .booking:
      if sent.doctor == nil { throw Refusal.invalid("doctor", "error.required") }
      let before = found.draft
      let isMove =
        (before.date, before.time, before.offset) != (sent.date, sent.time, sent.offset)
        || before.doctor != sent.doctor
      if isMove {
        _ = try move(sent.request, context, connection)
      } else {
        try rename(sent.request, context, connection)
      }
    }
  }

  /// Keeps the time, and stores what else was said.
  private func rename(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws {
    let booking = try unchanged(context, on: connection)
    _ = try request.practice(on: connection)
    var details = try booking.details(by: context.keys)
    details.purpose = request.purpose
    try Booking.write(details, to: booking.id, by: context.keys, on: connection)
  }

  @Sendable
  private func deleteByProgram(
    _ found: Found, _ context: Context, _ connection: Connection
  ) throws {
    if case .booking = found.draft.stored {
      _ = try cancel(Cancellation(), context, connection)
      return
    }
    try PersonalAppointment.records.delete(
      ID(found.id), at: context.now, by: context.keys, on: connection)
  }

  @Sendable
  private func insteadForPrograms(_ context: Context) throws -> [JSON] {
    let times = try context.database.read { connection in
      // Another time would be refused as this one was.
      if context.request.method == .put, let booking = try own(context, on: connection),
        try reason(againstChanging: booking, context, on: connection) != nil
      {
        return [BookableTime]()
      }
      if context.request.method == .post, try hasReachedLimit(context, on: connection) { return [] }
      return try alternatives(context, on: connection)
    }
    return times.map { time in
      let start = ZonedTime(time.span.lowerBound, in: time.zone).description
      let clock = String(time.local.description.suffix(5))
      return [
        "date": .string(time.local.date.description), "time": .string(clock),
        "offset": .string(time.offset ?? ""), "starts_at": .string(start),
      ]
    }
  }
}
