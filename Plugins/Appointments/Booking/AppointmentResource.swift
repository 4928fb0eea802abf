import PolyclinicCore

enum AppointmentResource {
  /// The JSON API for appointments of both kinds. It runs the same code as the pages.
  static var resource: Resource {
    Resource(
      called: "Appointment",
      about: .init(
        """
        Appointments: with one of the portal's doctors, where `doctor` is given, at one of the doctor's \
        free times; elsewhere, where `location` is. A time that somebody else has is refused with 409, \
        and `instead` holds the nearest free ones; at a time when one has another appointment, \
        `overlap` books all the same. It is refused with 409 also if the patient has reached \
        the limit of upcoming appointments. To replace one with a doctor is to move it, until the clinic's \
        limit before it begins. Past appointments cannot be changed.
        """,
        deleting: """
          Cancels an appointment with a doctor, which stays there as cancelled (200), and is refused \
          with 409 once it cannot be cancelled any more. One elsewhere is deleted (204), and can be \
          taken back for thirty days on the portal's pages.
          """),
      form: APIAppointment.form, rest: answeredBesides,
      .init(
        list: list, find: find, create: create,
        replace: replace, delete: delete, instead: alternatives))
  }

  private typealias Found = Resource.Found<APIAppointment>

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
  private static func list(
    after: Int64, limit: Int, _ context: Context
  ) throws -> [Found] {
    let bookings = try Booking.page(
      of: context.keys.person, after: after, limit: limit, in: context)
    let placements = try DoctorPlacement.all(of: Set(bookings.map(\.doctor)), in: context)
    let booked = try bookings.map { try found($0, at: placements[$0.doctor], in: context) }
    let personal = try PersonalAppointment.records.page(after: after, limit: limit, in: context)
    let all = booked + personal.map { found($0.record, $0.id.rawValue) }
    return Array(all.sorted { $0.id < $1.id }.prefix(limit))
  }

  @Sendable
  private static func find(
    _ id: Int64, _ context: Context
  ) throws -> Found? {
    let keys = try context.keys
    if let booking = try Booking.find(ID(id), of: keys.person, in: context) {
      return try found(
        booking, at: DoctorPlacement.find(booking.doctor, in: context), in: context)
    }
    return try PersonalAppointment.records.find(ID(id), in: context)
      .map { found($0, id) }
  }

  private static func found(
    _ booking: Booking, at placement: DoctorPlacement?, in work: Work
  ) throws -> Found {
    let purpose = try booking.details(by: work.keys).purpose
    var answered = APIAppointment(booking, at: placement, purpose: purpose)
    answered.doctorName = try placement?.doctor.name.opened(by: work.keys) ?? ""
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
          "specialization", .string(placement?.department.specialization.rawValue ?? "")),
        JSON.Member("clinic_name", .string(placement?.clinic.name.string(in: .english) ?? "")),
      ])
  }

  private static func found(_ appointment: PersonalAppointment, _ id: Int64) -> Found {
    let zone = Zone(appointment.zone) ?? .utc
    let start = appointment.startsAt.map { ZonedTime($0, in: zone).description }
    return Found(
      id, APIAppointment(appointment),
      rest: [
        JSON.Member("kind", "personal"), JSON.Member("status", .null),
        JSON.Member("starts_at", start.map { .string($0) } ?? .null),
        JSON.Member("ends_at", .null),
        JSON.Member("time_zone", .string(zone.identifier)),
        JSON.Member("specialization", ""), JSON.Member("clinic_name", ""),
      ])
  }

  @Sendable
  private static func create(
    _ sent: APIAppointment, _ context: Context
  ) throws -> Int64 {
    if sent.doctor == nil {
      return try PersonalPages.insert(sent.personal(), context).rawValue
    }
    return try BookingAttempt.own(context).book(purpose: sent.purpose).id.rawValue
  }

  @Sendable
  private static func replace(
    _ sent: APIAppointment, _ found: Found, _ context: Context
  ) throws {
    switch found.draft.stored {
    case .nothing: throw Refusal.notFound
    case .personal(let appointment):
      if sent.doctor != nil { throw Refusal.invalid("doctor", "program.kind") }
      if let startsAt = appointment.startsAt, startsAt <= context.now {
        throw Refusal.conflict("personal.over")
      }
      _ = try PersonalPages.update(sent.personal(over: appointment), context)
    case .booking:
      if sent.doctor == nil { throw Refusal.invalid("doctor", "error.required") }
      let before = found.draft
      let isMove =
        (before.date, before.time, before.offset) != (sent.date, sent.time, sent.offset)
        || before.doctor != sent.doctor
      let attempt = try moving(context)
      if isMove {
        _ = try attempt.moveOwn(saying: sent.purpose)
      } else {
        try rename(attempt, saying: sent.purpose)
      }
    }
  }

  private static func moving(_ context: Context) throws -> BookingAttempt {
    let booking = try Booking.own(context)
    return BookingAttempt(context, for: booking.patient, moving: booking)
  }

  /// Keeps the time and stores the new purpose.
  private static func rename(_ attempt: BookingAttempt, saying purpose: String) throws {
    let context = attempt.context
    let booking = try Booking.own(context)
    if let reason = try booking.reasonAgainstChange(context) { throw Refusal.conflict(reason) }
    _ = try attempt.request.checked(attempt.placement.get())
    var details = try booking.details(by: context.keys)
    details.purpose = purpose
    try Booking.write(details, to: booking.id, in: context)
  }

  @Sendable
  private static func delete(
    _ found: Found, _ context: Context
  ) throws {
    if case .booking = found.draft.stored {
      _ = try CancelPages.cancel(Cancellation(), Booking.own(context), context)
      return
    }
    try PersonalAppointment.records.delete(ID(found.id), in: context)
  }

  @Sendable
  private static func alternatives(_ context: Context) throws -> [JSON] {
    let attempt = try context.request.method == .put ? moving(context) : BookingAttempt.own(context)
    return try attempt.alternatives.map { time in
      let start = ZonedTime(time.span.lowerBound, in: time.zone).description
      let clock = time.local.time.description
      return [
        "date": .string(time.local.date.description), "time": .string(clock),
        "offset": .string(time.offset ?? ""), "starts_at": .string(start),
      ]
    }
  }
}
