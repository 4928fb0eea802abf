import PolyclinicCore

/// What a booking asks for: mostly chosen on the pages before, but anybody may send anything.
struct BookingRequest: Sendable {
  var clinic = ""
  var department = ""
  var doctor = ""
  var date: CalendarDate?
  var time: TimeOfDay?
  /// Which of the two times is meant where clocks show it twice.
  var offset = ""
  var purpose = ""

  static let form = Form(
    BookingRequest(), .part(\.self, timeForm),
    .lines(
      \.purpose, "purpose", limit: 2_000, autocomplete: "off", hint: "field.purpose.hint"))

  /// With whom and when, and nothing of what the patient says about it.
  static let timeForm = Form(
    BookingRequest(),
    .text(\.clinic, "clinic", limit: 20).fixed(BookingWords.clinic).labelled("booking.clinic"),
    .text(\.department, "department", limit: 20)
      .fixed(BookingWords.department).labelled("booking.department"),
    .text(\.doctor, "doctor", required: true, limit: 20)
      .fixed(BookingWords.doctor).labelled("booking.doctor"),
    .date(\.date, "date", required: true).fixed(BookingWords.date),
    .time(\.time, "time", required: true).fixed(BookingWords.clock),
    .text(\.offset, "offset", limit: 6)
      .fixed { offset, _ in "UTC\(offset)" }.labelled("booking.offset"))
}

extension BookingRequest {
  /// What the pages before have led to.
  init(_ practice: Practice, _ time: BookableTime?, purpose: String = "") {
    clinic = practice.clinic.id.description
    department = practice.department.id.description
    doctor = practice.doctor.id.description
    date = time?.local.date
    self.time = time.flatMap { TimeOfDay(hour: $0.local.hour, minute: $0.local.minute) }
    offset = time?.offset ?? ""
    self.purpose = purpose
  }

  /// What a form sends along, or the address of its page says, of what was chosen on the pages before.
  init(chosen sent: Fields) {
    clinic = sent["clinic"]
    department = sent["department"]
    doctor = sent["doctor"]
    chooseTime(sent)
  }

  /// Takes over the time alone.
  mutating func chooseTime(_ sent: Fields) {
    date = CalendarDate(sent["date"])
    time = TimeOfDay(sent["time"])
    offset = sent["offset"]
  }

  /// The page of the doctor's times on the day that was chosen, or of the days where none was; of all
  /// specializations where no doctor was.
  static func day(_ chosen: Fields) -> Path {
    guard let doctor = ID<Doctor>(chosen["doctor"]) else {
      return Path("new").query(["with": "doctor"])
    }
    guard let date = CalendarDate(chosen["date"]) else {
      return Path("new").query(["doctor": doctor.description])
    }
    return Path("new").query(["doctor": doctor.description, "date": date.description])
  }

  /// The doctor, where something can be booked; throws ``Refusal/invalid(_:_:)`` with what is wrong.
  func practice(on connection: Connection) throws -> Practice {
    guard let id = ID<Doctor>(doctor), let practice = try Practice.find(id, on: connection) else {
      throw Refusal.invalid("doctor", "booking.error.unknown-doctor")
    }
    if !clinic.isEmpty && clinic != practice.clinic.id.description {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    if !department.isEmpty && department != practice.department.id.description {
      throw Refusal.invalid("department", "booking.error.foreign-department")
    }
    if practice.clinic.closedAt != nil {
      throw Refusal.invalid("clinic", "booking.error.closed-clinic")
    }
    if practice.department.closedAt != nil {
      throw Refusal.invalid("department", "booking.error.closed-department")
    }
    if !practice.isOpen {
      throw Refusal.invalid("doctor", "booking.error.disabled-doctor")
    }
    return practice
  }

  /// The time that is asked for, taken or not; throws ``Refusal/invalid(_:_:)`` with what is wrong.
  func time(
    at practice: Practice, now: Instant, settings: Settings, on connection: Connection
  ) throws -> BookableTime {
    let moment = try moment(at: practice, now: now)
    let date = practice.local(moment).date
    let plan = try Plan.find(of: practice, during: date...date, on: connection)
    let (length, working) = (try practice.slot(settings), plan.working(on: date))
    if working.contains(where: { Plan.starts(of: length, in: $0).contains(moment.seconds) }) {
      return BookableTime(span: moment..<moment + length, zone: plan.zone)
    }
    let works = working.contains { $0.contains(moment) }
    throw Refusal.invalid(
      "time", works ? "booking.error.between-times" : "booking.error.outside-hours")
  }

  /// How far ahead something can be booked.
  static let horizon = 365

  private func moment(at practice: Practice, now: Instant) throws -> Instant {
    guard let date else { throw Refusal.invalid("date", "error.required") }
    guard let time, let local = LocalDateTime(date, hour: time.hour, minute: time.minute) else {
      throw Refusal.invalid("time", "error.required")
    }
    let today = practice.local(now).date
    if date < today { throw Refusal.invalid("date", "booking.error.past-day") }
    if date > today.adding(days: Self.horizon) {
      throw Refusal.invalid("date", "booking.error.far-day")
    }
    let moment = try moment(of: local, in: practice.clinic.zone)
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
