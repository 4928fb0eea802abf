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
  /// The token of the time that is held for the patient; empty if none is.
  var hold = ""
  /// The names of the questions that the page asks this patient; see ``Question``.
  var asks = ""
  /// The patient's birth date; nil if it is known or not asked.
  var birthDate: CalendarDate?
  /// The person whom the doctor will see; empty if it is not asked.
  var visitor = ""
  var child = Booking.Child()

  /// A question that only some patients are asked.
  enum Question: String, Sendable {
    /// The birth date, at the first booking, so that the clinic can tell people of one name apart.
    case birth
    /// The person who will be seen, if an adult books with a doctor for children.
    case child

    /// Returns true if the fields of a form say that it is asked.
    @Sendable
    func isAsked(_ sent: Fields) -> Bool {
      sent["asks"].split(separator: " ").contains(Substring(rawValue))
    }
  }

  /// The values of the choice of who will be seen.
  private static let (myself, myChild) = ("me", "child")

  /// The form of a patient's new booking, which may ask further questions.
  static let ownForm = Form(
    BookingRequest(), .part(\.self, timeForm),
    .text(\.asks, "asks", limit: 20).unasked, .text(\.hold, "hold", limit: 40).unasked,
    .choice(\.visitor, "visitor", hint: "booking.adult") { context in
      let known = try BookedChild.all(in: context).map { $0.choice(context) }
      let child: Text = known.isEmpty ? "booking.visitor.child" : "booking.visitor.other-child"
      return known + [
        Choice(myChild, .text(child)), Choice(myself, .text("booking.visitor.me")),
      ]
    }.expected.asked(where: Question.child.isAsked),
    .section(
      "booking.child.only",
      .text(\.child.name, "child_name", limit: 100, autocomplete: "off")
        .alternative.asked(where: Question.child.isAsked),
      .date(\.child.birthDate, "child_birth_date", autocomplete: "off")
        .untilToday.alternative.asked(where: Question.child.isAsked)),
    .date(\.birthDate, "birth_date", autocomplete: "bday", hint: "booking.birth-date.hint")
      .untilToday.expected.asked(where: Question.birth.isAsked).labelled("booking.birth-date"),
    purposeField(hint: "field.purpose.hint"))

  /// Throws ``Refusal/invalid(_:_:)`` for the first question of the page that was sent without an
  /// answer. A program that sends no such field is not asked.
  func requireAnswers(_ sent: Fields) throws {
    func require(_ name: String, _ isAnswered: Bool) throws {
      if sent.contains(name), !isAnswered { throw Refusal.invalid(name, "error.required") }
    }
    try require("birth_date", birthDate != nil)
    try require("visitor", !visitor.isEmpty)
    guard visitor == Self.myChild else { return }
    try require("child_name", !child.name.isEmpty)
    try require("child_birth_date", child.birthDate != nil)
  }

  /// Returns the child whom the doctor will see: the one of the form, or one of an earlier booking;
  /// nil if the patient comes.
  func seenChild(in work: Work) throws -> Booking.Child? {
    if visitor == Self.myChild { return child }
    return try BookedChild.all(in: work).first { $0.value == visitor }?.child
  }

  /// The value of ``asks`` in the form of a guardian who may not read the purpose of the booking
  /// that is moved.
  static let keepsPurpose = "keep"

  /// The form with which a patient moves a booking, and may write another purpose.
  static let moveForm = Form(
    BookingRequest(), .part(\.self, timeForm), .text(\.asks, "asks", limit: 20).unasked,
    purposeField(hint: "field.purpose.hint").asked { $0["asks"] != keepsPurpose })
  /// The form for staff, who enter the purpose for the patient's doctor.
  static let staffForm = Form(
    BookingRequest(), .part(\.self, timeForm), purposeField(hint: "reception.purpose.hint"))

  private static func purposeField(hint: Text) -> Field<BookingRequest> {
    .lines(\.purpose, "purpose", limit: 2_000, autocomplete: "off", hint: hint)
  }

  /// The form with the doctor and the time, without the patient's purpose.
  static let timeForm = Form(
    BookingRequest(),
    .text(\.clinic, "clinic", limit: 20)
      .told { number, context in
        try ID(number).flatMap { try Clinic.find($0, in: context) }?.nameAndTown(context) ?? ""
      }.labelled("booking.clinic"),
    .text(\.department, "department", limit: 20)
      .told { number, context in
        try ID(number).flatMap { try Department.find($0, in: context) }
          .map { context.text($0.specialization.title) } ?? ""
      }.labelled("booking.department"),
    .text(\.doctor, "doctor", required: true, limit: 20)
      .told { number, context in
        try ID(number).flatMap { try DoctorName.find($0, in: context) }?.shown(context) ?? ""
      }.labelled("booking.doctor"),
    .date(\.date, "date", required: true)
      .told { text, context in CalendarDate(text).map { BookingText.day($0, context) } ?? text },
    .time(\.time, "time", required: true)
      .told { TimeOfDay($0).map($1.formats.time) ?? $0 },
    .text(\.offset, "offset", limit: 6)
      .told { offset, _ in "UTC\(offset)" }.labelled("booking.offset"))
}

extension BookingRequest {
  /// The number of days ahead that can be booked.
  static let horizon = 365

  /// Creates a request from choices on earlier pages, as sent in a form or in a page's query.
  init(chosen sent: Fields) {
    clinic = sent["clinic"]
    department = sent["department"]
    doctor = sent["doctor"]
    date = CalendarDate(sent["date"])
    time = TimeOfDay(sent["time"])
    offset = sent["offset"]
    asks = sent["asks"]
    hold = sent["hold"]
  }

  /// Returns the placement of the requested doctor, which `found` is unless there is no such doctor.
  /// Throws ``Refusal/invalid(_:_:)`` with the reason if nothing can be booked there.
  func checked(_ found: DoctorPlacement?) throws -> DoctorPlacement {
    guard let placement = found else {
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
    if !placement.isOpen { throw Refusal.invalid("doctor", "booking.error.disabled-doctor") }
    return placement
  }

  /// Returns the requested moment, or the alternative that was chosen instead. Throws
  /// ``Refusal/invalid(_:_:)`` if there is none, or if it is over or too far ahead.
  func start(at placement: DoctorPlacement, instead: Instant?, now: Instant) throws -> Instant {
    guard let date = instead.map({ placement.local($0).date }) ?? date else {
      throw Refusal.invalid("date", "error.required")
    }
    let today = placement.local(now).date
    if date < today { throw Refusal.invalid("date", "booking.error.past-day") }
    if date > today.adding(days: Self.horizon) {
      throw Refusal.invalid("date", "booking.error.far-day")
    }
    let start = try instead ?? moment(on: date, in: placement.clinic.zone)
    if start <= now { throw Refusal.invalid("time", "booking.error.past-time") }
    return start
  }

  private func moment(on date: CalendarDate, in zone: Zone) throws -> Instant {
    guard let time, let local = LocalDateTime(date, hour: time.hour, minute: time.minute) else {
      throw Refusal.invalid("time", "error.required")
    }
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

extension DoctorSchedule {
  /// Returns the slot of this length that begins at a moment. Throws ``Refusal/invalid(_:_:)`` if
  /// none does.
  func slot(of length: Seconds, from start: Instant) throws -> Slot {
    let working = working(on: LocalDateTime(start, in: zone).date)
    if working.contains(where: { Self.starts(of: length, in: $0).contains(start.seconds) }) {
      return Slot(span: start..<start + length, zone: zone)
    }
    let works = working.contains { $0.contains(start) }
    throw Refusal.invalid(
      "time", works ? "booking.error.between-times" : "booking.error.outside-hours")
  }
}

/// The choices that the steps of a booking pass on.
extension Context {
  /// The choices so far: the fields of a form that was sent, else those of the query.
  var choices: Fields { request.sentFields }

  /// Returns the path of the requested doctor's times at `base` with the requested day open, which
  /// the last page of a booking leads back to; nil without a doctor.
  func times(at base: Path) -> Path? {
    if choices["doctor"].isEmpty { return nil }
    var kept = Fields()
    for name in ["patient_id", "doctor", "date"] where !choices[name].isEmpty {
      kept.append(name, choices[name])
    }
    return base.query(kept)
  }
}

extension Fields {
  /// True if a day and a time are chosen.
  var hasTime: Bool { !self["date"].isEmpty && !self["time"].isEmpty }

  /// The doctor and the time, or the doctor whose waiting list the patient joins, if they are chosen
  /// before the patient. Values that are too long for these are left out, because the others become
  /// part of an address.
  var beforePatient: Fields {
    var chosen = Fields()
    for name in ["doctor", "date", "time", "offset", "list"] {
      let value = self[name]
      if (1...32).contains(value.utf8.count) { chosen.append(name, value) }
    }
    return chosen
  }
}
