import PolyclinicCore

/// An appointment in the JSON API, which runs the same code as the pages: with one of the portal's
/// doctors, or elsewhere.
struct AppointmentResource: Sendable {
  var doctor: Int?
  var department: Int?
  var clinic: Int?
  var date: CalendarDate?
  var time: TimeOfDay?
  /// The UTC offset of the time. It tells two equal times apart if clocks are set back.
  var offset = ""
  var location = ""
  /// The doctor's name. API clients set it for an appointment elsewhere; for a booking it is in
  /// responses only.
  var doctorName = ""
  var purpose = ""
  /// True to book in spite of another appointment at that time.
  var overlaps = false
  /// The stored appointment; `nothing` for one that an API client sent.
  var stored = Stored.nothing

  enum Stored: Sendable {
    case nothing
    case booking(Booking)
    case personal(PersonalAppointment)
  }

  static let form = Form(
    AppointmentResource(),
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
    _ value: WritableKeyPath<AppointmentResource, Int?> & Sendable, _ name: String
  ) -> Field<AppointmentResource> {
    .integer(value, name, in: 1...999_999_999_999).labelled(Text("booking.\(name)"))
  }
}

extension AppointmentResource {
  /// Returns `stored` with these fields in place of its own, for an appointment elsewhere.
  private func personal(
    over stored: PersonalAppointment = PersonalAppointment()
  ) -> PersonalAppointment {
    var appointment = stored
    (appointment.date, appointment.time) = (date, time)
    appointment.location = location
    appointment.doctorName = doctorName
    appointment.purpose = purpose
    return appointment
  }
}

extension AppointmentResource {
  /// The JSON API for appointments of both kinds.
  static var resource: Resource {
    Resource(
      called: "Appointment",
      about: .init(
        """
        Appointments: with one of the portal's doctors, where `doctor` is given, at one of the doctor's \
        free times; elsewhere, where `location` is. A time that somebody else has is refused with 409, \
        and `instead` holds the nearest free ones; at a time when one has another appointment, \
        `overlap` books all the same. It is refused with 409 also if the patient has reached \
        the limit of upcoming appointments, or if the doctor accepts no new patients and has not seen \
        this one. To replace one with a doctor is to move it, until the clinic's \
        limit before it begins. Past appointments cannot be changed.
        """,
        deleting: """
          Cancels an appointment with a doctor, which stays there as cancelled (200), and is refused \
          with 409 once it cannot be cancelled any more. One elsewhere is deleted (204), and can be \
          taken back for thirty days on the portal's pages.
          """),
      form: AppointmentResource.form, rest: answeredBesides,
      .init(
        list: list, find: find, create: create,
        replace: replace, delete: delete, instead: alternatives))
  }

  private typealias Found = Resource.Found<AppointmentResource>

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

  private static func list(after: Int64, limit: Int, _ context: Context) throws -> [Found] {
    let bookings = try Booking.page(
      of: context.keys.person, after: after, limit: limit, in: context)
    let placements = try DoctorPlacement.all(of: Set(bookings.map(\.doctor)), in: context)
    let booked = try bookings.map { try found($0, at: placements[$0.doctor], in: context) }
    let personal =
      context.mayReadRecords
      ? try PersonalAppointment.records.page(after: after, limit: limit, in: context) : []
    let all = booked + personal.map { found($0.record, $0.id.rawValue) }
    return Array(all.sorted { $0.id < $1.id }.prefix(limit))
  }

  private static func find(_ id: Int64, _ context: Context) throws -> Found? {
    let keys = try context.keys
    if let booking = try Booking.find(ID(id), of: keys.person, in: context) {
      return try found(
        booking, at: DoctorPlacement.find(booking.doctor, in: context), in: context)
    }
    guard context.mayReadRecords else { return nil }
    return try PersonalAppointment.records.find(ID(id), in: context).map { found($0, id) }
  }

  private static func found(
    _ booking: Booking, at placement: DoctorPlacement?, in work: Work
  ) throws -> Found {
    let time = Slot(span: booking.span, zone: booking.zone)
    var answered = AppointmentResource()
    answered.doctor = Int(booking.doctor.rawValue)
    answered.department = placement.map { Int($0.department.id.rawValue) }
    answered.clinic = placement.map { Int($0.clinic.id.rawValue) }
    (answered.date, answered.time) = (time.local.date, time.local.time)
    answered.offset = time.offset ?? ""
    answered.doctorName = try placement?.doctor.name.opened(by: work.keys) ?? ""
    answered.purpose = try booking.details(shownIn: work).purpose
    answered.stored = .booking(booking)
    func member(_ name: String, _ moment: Instant) -> JSON.Member {
      JSON.Member(name, .string(ZonedTime(moment, in: booking.zone).description))
    }
    return Found(
      booking.id.rawValue, answered,
      rest: [
        JSON.Member("kind", "booking"), JSON.Member("status", .string(booking.status.rawValue)),
        member("starts_at", booking.span.lowerBound), member("ends_at", booking.span.upperBound),
        JSON.Member("time_zone", .string(booking.zone.identifier)),
        JSON.Member(
          "specialization", .string(placement?.department.specialization.rawValue ?? "")),
        JSON.Member("clinic_name", .string(placement?.clinic.name.string(in: .english) ?? "")),
      ])
  }

  private static func found(_ appointment: PersonalAppointment, _ id: Int64) -> Found {
    let zone = Zone(appointment.zone) ?? .utc
    let start = appointment.startsAt.map { JSON.string(ZonedTime($0, in: zone).description) }
    var answered = AppointmentResource()
    (answered.date, answered.time) = (appointment.date, appointment.time)
    answered.location = appointment.location
    answered.doctorName = appointment.doctorName
    answered.purpose = appointment.purpose
    answered.stored = .personal(appointment)
    return Found(
      id, answered,
      rest: [
        JSON.Member("kind", "personal"), JSON.Member("status", .null),
        JSON.Member("starts_at", start ?? .null), JSON.Member("ends_at", .null),
        JSON.Member("time_zone", .string(zone.identifier)), JSON.Member("specialization", ""),
        JSON.Member("clinic_name", ""),
      ])
  }

  private static func create(_ sent: AppointmentResource, _ context: Context) throws -> Int64 {
    if sent.doctor == nil { return try sent.personal().insert(in: context).rawValue }
    return try BookingAttempt.own(context).book(purpose: sent.purpose).id.rawValue
  }

  private static func replace(
    _ sent: AppointmentResource, _ found: Found, _ context: Context
  ) throws {
    switch found.draft.stored {
    case .nothing: throw Refusal.notFound
    case .personal(let appointment):
      if sent.doctor != nil { throw Refusal.invalid("doctor", "program.kind") }
      try appointment.requireChangeable(at: context.now)
      try sent.personal(over: appointment).replace(appointment, ID(found.id), in: context)
    case .booking(let booking):
      if sent.doctor == nil { throw Refusal.invalid("doctor", "error.required") }
      let before = found.draft
      let isMove =
        (before.date, before.time, before.offset) != (sent.date, sent.time, sent.offset)
        || before.doctor != sent.doctor
      let attempt = BookingAttempt(context, for: booking.patient, moving: booking)
      if isMove {
        _ = try attempt.moveOwn(saying: sent.purpose)
      } else {
        if let reason = try booking.reasonAgainstChange(context) { throw Refusal.conflict(reason) }
        _ = try attempt.request.checked(attempt.placement.get())
        try booking.replace(purpose: sent.purpose, in: context)
      }
    }
  }

  private static func delete(_ found: Found, _ context: Context) throws {
    if case .booking(let booking) = found.draft.stored { return try booking.cancelOwn(context) }
    try PersonalAppointment.requireRight(in: context)
    try PersonalAppointment.records.delete(ID(found.id), in: context)
  }

  private static func alternatives(_ context: Context) throws -> [JSON] {
    let moved = try context.request.method == .put ? Booking.own(context) : nil
    let attempt =
      try moved.map { BookingAttempt(context, for: $0.patient, moving: $0) } ?? .own(context)
    return try attempt.alternatives.map { time in
      [
        "date": .string(time.local.date.description),
        "time": .string(time.local.time.description), "offset": .string(time.offset ?? ""),
        "starts_at": .string(ZonedTime(time.span.lowerBound, in: time.zone).description),
      ]
    }
  }
}
