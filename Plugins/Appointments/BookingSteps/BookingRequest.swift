import PolyclinicCore

/// The fields of a booking. Most are chosen on earlier pages, but a client can send any values.
struct BookingRequest: Sendable {
  var clinic = ""
  var department = ""
  var doctor = ""
  var date: CalendarDate?
  var time: TimeOfDay?
  /// The UTC offset of the time. It tells two equal times apart if clocks are set back.
  var offset = ""
  var purpose = ""

  static let form = Form(
    BookingRequest(), .part(\.self, timeForm),
    .lines(
      \.purpose, "purpose", limit: 2_000, autocomplete: "off", hint: "field.purpose.hint"))

  /// The form for staff, who enter the purpose for the patient's doctor.
  static let staffForm = Form(
    BookingRequest(), .part(\.self, timeForm),
    .lines(
      \.purpose, "purpose", limit: 2_000, autocomplete: "off", hint: "reception.purpose.hint"))

  /// The form with the doctor and the time, without the patient's purpose.
  static let timeForm = Form(
    BookingRequest(),
    .text(\.clinic, "clinic", limit: 20).told(BookingText.clinic).labelled("booking.clinic"),
    .text(\.department, "department", limit: 20)
      .told(BookingText.department).labelled("booking.department"),
    .text(\.doctor, "doctor", required: true, limit: 20)
      .told(BookingText.doctor).labelled("booking.doctor"),
    .date(\.date, "date", required: true).told(BookingText.date),
    .time(\.time, "time", required: true).told(BookingText.clock),
    .text(\.offset, "offset", limit: 6)
      .told { offset, _ in "UTC\(offset)" }.labelled("booking.offset"))
}

extension BookingRequest {
  /// Creates a request from the doctor and the time chosen on earlier pages.
  init(_ placement: DoctorPlacement, _ time: Slot?, purpose: String = "") {
    clinic = placement.clinic.id.description
    department = placement.department.id.description
    doctor = placement.doctor.id.description
    date = time?.local.date
    self.time = time.flatMap { TimeOfDay(hour: $0.local.hour, minute: $0.local.minute) }
    offset = time?.offset ?? ""
    self.purpose = purpose
  }

  /// Creates a request from choices on earlier pages, as sent in a form or in a page's query.
  init(chosen sent: Fields) {
    clinic = sent["clinic"]
    department = sent["department"]
    doctor = sent["doctor"]
    chooseTime(sent)
  }

  /// Replaces only the date, the time and the UTC offset.
  mutating func chooseTime(_ sent: Fields) {
    date = CalendarDate(sent["date"])
    time = TimeOfDay(sent["time"])
    offset = sent["offset"]
  }

  /// Returns the path to the doctor's times, with the chosen day open. Without a doctor it is the
  /// page of all specializations.
  static func times(_ chosen: Fields) -> Path {
    guard let doctor = ID<Doctor>(chosen["doctor"]) else { return "new" }
    guard let date = CalendarDate(chosen["date"]) else {
      return Path("new").query(["doctor": doctor.description])
    }
    return Path("new").query(["doctor": doctor.description, "date": date.description])
  }

  /// Returns the doctor's placement. Throws ``Refusal/invalid(_:_:)`` with the reason if nothing
  /// can be booked there.
  func placement(in work: Work) throws -> DoctorPlacement {
    guard let id = ID<Doctor>(doctor), let placement = try DoctorPlacement.find(id, in: work)
    else {
      throw Refusal.invalid("doctor", "booking.error.unknown-doctor")
    }
    if !clinic.isEmpty && clinic != placement.clinic.id.description {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    if !department.isEmpty && department != placement.department.id.description {
      throw Refusal.invalid("department", "booking.error.foreign-department")
    }
    if placement.clinic.closedAt != nil {
      throw Refusal.invalid("clinic", "booking.error.closed-clinic")
    }
    if placement.department.closedAt != nil {
      throw Refusal.invalid("department", "booking.error.closed-department")
    }
    if !placement.isOpen {
      throw Refusal.invalid("doctor", "booking.error.disabled-doctor")
    }
    return placement
  }

  /// Returns the requested slot, free or taken. Throws ``Refusal/invalid(_:_:)`` with the reason if
  /// the slot does not exist, is over, or is too far ahead.
  func time(
    at placement: DoctorPlacement, now: Instant, settings: Portal.Settings, in work: Work
  ) throws -> Slot {
    let moment = try moment(at: placement, now: now)
    let date = placement.local(moment).date
    let schedule = try DoctorSchedule.find(of: placement, during: date...date, in: work)
    let (length, working) = (try placement.slot(settings), schedule.working(on: date))
    if working.contains(where: {
      DoctorSchedule.starts(of: length, in: $0).contains(moment.seconds)
    }) {
      return Slot(span: moment..<moment + length, zone: schedule.zone)
    }
    let works = working.contains { $0.contains(moment) }
    throw Refusal.invalid(
      "time", works ? "booking.error.between-times" : "booking.error.outside-hours")
  }

  /// The number of days ahead that can be booked.
  static let horizon = 365

  private func moment(at placement: DoctorPlacement, now: Instant) throws -> Instant {
    guard let date else { throw Refusal.invalid("date", "error.required") }
    guard let time, let local = LocalDateTime(date, hour: time.hour, minute: time.minute) else {
      throw Refusal.invalid("time", "error.required")
    }
    let today = placement.local(now).date
    if date < today { throw Refusal.invalid("date", "booking.error.past-day") }
    if date > today.adding(days: Self.horizon) {
      throw Refusal.invalid("date", "booking.error.far-day")
    }
    let moment = try moment(of: local, in: placement.clinic.zone)
    if moment <= now { throw Refusal.invalid("time", "booking.error.past-time") }
    return moment
  }

  private func moment(of local: LocalDateTime, in zone: Zone) throws -> Instant {
    let moments: [Instant]
    switch local.moments(in: zone) {
    case .one(let moment): moments = [moment]
    case .two(let early, let late): moments = [early, late]
    case .none: throw Refusal.invalid("time", "booking.error.no-such-time")
    }
    if offset.isEmpty { return moments[0] }
    let meant = ZonedTime.offset(offset).flatMap { offset in
      moments.first { zone.offset(at: $0) == offset }
    }
    guard let meant else { throw Refusal.invalid("offset", "booking.error.offset") }
    return meant
  }
}
