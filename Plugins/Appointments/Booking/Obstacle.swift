import PolyclinicCore

/// A reason why a slot cannot be booked, or not without a further question.
enum Obstacle {
  /// There is no such slot: the doctor, the place or the hours are wrong, or it is not for this
  /// member of staff.
  case unbookable(Refusal)
  /// The booking that is moved cannot be changed, or has changed since the page was shown.
  case unchangeable(Text)
  /// The patient has booked this slot.
  case own(Booking)
  /// The patient is the doctor, who books for patients on the page of the day.
  case ownTimes
  /// The doctor accepts no new patients and does not know this one.
  case newPatient(DoctorPlacement)
  /// The patient has booked as many appointments as possible. Above that, the clinic's telephone
  /// number may help.
  case limit(Int, phone: String)
  /// Somebody else has claimed a part of the slot.
  case taken
  /// The patient has another appointment at that time, which does not hinder them for certain.
  case overlap(Overlap)

  /// True if no other slot could be booked either.
  var isForAnySlot: Bool {
    switch self {
    case .limit, .newPatient, .unchangeable: true
    case .unbookable, .own, .ownTimes, .taken, .overlap: false
    }
  }

  /// Returns the refusal of the form and of the API.
  func refusal(for attempt: BookingAttempt) -> Refusal {
    switch self {
    case .unbookable(let refusal): return refusal
    case .unchangeable(let reason): return .conflict(reason)
    case .own: return .conflict("booking.own")
    case .newPatient(let placement): return .conflict(placement.refusalOfNewPatients)
    case .ownTimes: return .conflict("booking.own-times")
    case .limit(let most, let phone):
      let most = attempt.context.formats.number(most)
      return .conflict(
        phone.isEmpty
          ? Text("booking.too-many.no-phone", ["most": most])
          : Text("booking.too-many", ["most": most, "phone": phone]))
    case .taken:
      // The message says that the typed purpose is kept.
      let isTyped = !attempt.context.request.fields["purpose"].isEmpty
      return .conflict(isTyped ? "booking.taken.typed" : "booking.taken")
    case .overlap: return .conflict(attempt.staff == nil ? "booking.overlap" : "reception.overlap")
    }
  }
}

/// The page of an attempt.
extension BookingAttempt {
  /// The notice of what stands against the slot, with the way out; nil if nothing does, or if the
  /// response to a sent form says it.
  ///
  /// For an overlap, a hidden field records that the patient has read of it.
  var notice: HTML? {
    get throws {
      let isSent = context.request.method == .post
      let obstacles = try obstacles
      for case .limit in obstacles where !isSent {
        if case .conflict(let text) = obstacles[0].refusal(for: self) {
          return context.notice(.problem, text)
        }
      }
      guard let requested = try requestedIfAny else { return nil }
      if try isTaken {
        if isSent { return nil }
        if staff != nil, let own = try own { return ownNotice(own, "reception.booked-already") }
        let times = try otherTimes
        return context.notice(.problem, "booking.taken.before", action: "\(actions: times)")
      }
      for case .overlap(let overlap) in obstacles where staff == nil {
        return "\(try overlap.notice(context))\(Overlap.acknowledgement(at: requested.slot))"
      }
      return nil
    }
  }

  /// The links to the nearest free times, and the one to all.
  private var otherTimes: [HTML] {
    get throws {
      let days = context.button("booking.other-days", to: freeTimes, style: [.secondary, .small])
      let doctor = try requested().placement.doctor.id
      return try alternatives.map { slot in
        context.button(
          showing: "\(BookingText.shortDateTime(slot, context))",
          to: path(with: slot.choices(with: doctor)), style: [.secondary, .small])
      } + [days]
    }
  }

  /// Returns the notice that the patient has booked the slot, with the link to the appointment.
  func ownNotice(_ booking: Booking, _ text: Text) -> HTML {
    context.notice(
      .outcome, text,
      action: context.button(
        "booking.own.show", to: booking.path, style: [.secondary, .small]))
  }

  /// The reason why there is no such slot, and a link to the doctor's free times. After a submission
  /// it leaves out the reason, because the form shows it beside the field.
  var linkToFreeTimes: HTML? {
    get throws {
      var notice: HTML?
      if context.request.method == .get, request.date != nil, request.time != nil {
        do { _ = try requested() } catch Refusal.invalid(_, let reason) {
          notice = context.notice(.problem, reason)
        }
      }
      guard try placement.get()?.isOpen == true else { return notice }
      return """
        \(notice)<p>\(context.button(
          "line.book.all", to: freeTimes, style: [.secondary, .small]))</p>
        """
    }
  }

  /// The summary of the slot for staff, with the notice if it is taken.
  var summaryForStaff: HTML? {
    get throws {
      guard try requestedIfAny != nil else { return try linkToFreeTimes }
      return "\(try notice)\(try BookingSummary(requested(), context).facts(changing: .time))"
    }
  }

  /// The doctor's free times.
  private var freeTimes: Path { path(with: Fields(["doctor": request.doctor])) }

  /// Returns the path of this page with other choices, and the patient whom the reception has chosen.
  private func path(with choices: Fields) -> Path {
    var chosen = choices
    let patient = context.choices["patient_id"]
    if !patient.isEmpty { chosen.append("patient_id", patient) }
    return context.request.path.query(chosen)
  }

  /// Returns the fields of the form, filled with the choices on earlier pages. Throws
  /// ``Refusal/notFound`` for an unknown doctor.
  func start(purpose: String = "") throws -> BookingRequest {
    var start = request
    start.purpose = purpose
    if context.request.method == .post { return start }
    guard let placement = try placement.get() else { throw Refusal.notFound }
    start.clinic = placement.clinic.id.description
    start.department = placement.department.id.description
    return start
  }
}

/// Another appointment of the patient at the same time. The booking form points it out, but never
/// forbids it.
enum Overlap: Sendable {
  case booking(Booking)
  case personal(PersonalAppointment.Entry)

  /// Returns an appointment of the keys' owner that overlaps a span, a booking first; nil if there
  /// is none.
  ///
  /// Use it only for the patient, because the reception must not read patients' appointments
  /// elsewhere.
  static func find(
    _ span: Range<Instant>, besides id: ID<Appointment>? = nil, in work: Work
  ) throws -> Overlap? {
    let booking = try Booking.overlapping(span, of: work.keys.person, besides: id, in: work)
    if let booking { return .booking(booking) }
    return try PersonalAppointment.overlapping(span, in: work).map(Overlap.personal)
  }

  /// Returns a warning that names the appointment and its time.
  func notice(_ context: Context) throws -> HTML {
    let text: Text = isBooking ? "booking.overlap.with" : "booking.overlap.personal"
    return .notice(.problem, "<p>\(try sentence(text, context))</p>")
  }

  /// Returns a warning for the page of an appointment that overlaps this one.
  func remark(_ context: Context) throws -> HTML {
    let text: Text = isBooking ? "overlap.booking" : "overlap.personal"
    return .notice(.remark, "<p>\(try sentence(text, context))</p>", as: .warning)
  }

  private var isBooking: Bool { if case .booking = self { true } else { false } }

  private func sentence(_ text: Text, _ context: Context) throws -> String {
    switch self {
    case .booking(let booking):
      let doctor = try DoctorName.find(booking.doctor, in: context)?.shown(context)
      let time = BookingText.named(
        BookingText.span(booking.span, in: booking.zone, context), by: booking.zone,
        at: booking.span.lowerBound, besides: context.formats.timeZone)
      return context.text(text, ["doctor": doctor ?? "", "time": time])
    case .personal(let entry):
      let shown = entry.local ?? LocalDateTime(entry.startsAt, in: context.formats.timeZone)
      let time = "\(BookingText.day(shown.date, context)), \(context.formats.time(shown))"
      return context.text(text, ["location": entry.location, "time": time])
    }
  }
}

/// Form fields that record which overlap was pointed out. Each names one moment, in Unix seconds,
/// so that it does not apply to an alternative time.
extension Overlap {
  private static let field = "overlap"
  private static let button = "overlap-"

  /// Returns the hidden field of a form that has pointed out the overlap.
  static func acknowledgement(at time: Slot) -> HTML {
    "<input type=\"hidden\" name=\"\(field)\" value=\"\(time.span.lowerBound.seconds)\">"
  }

  /// Returns the button that books the time anyway.
  static func choice(of time: Slot, _ context: Context) -> Choice {
    let shown = BookingText.shortDateTime(time, context)
    return Choice(
      value(of: time), .text(Text("booking.overlap.book-then", ["time": shown])))
  }

  /// True if the submitted fields say that the overlap at this time was pointed out.
  static func isAcknowledged(at time: Slot, _ sent: Fields) -> Bool {
    // API clients send `yes`. They choose no alternative, so there is no other time.
    let said = [String(time.span.lowerBound.seconds), "yes"]
    return sent["instead"] == value(of: time) || said.contains(sent[field])
  }

  /// A bound in Unix seconds. No appointment is as far from 1970, and any calendar can still
  /// compute with it.
  private static let farthest: Int64 = 1 << 40

  /// Returns the moment of the chosen alternative, or of the button that books anyway; nil if there
  /// is none.
  ///
  /// A client can send any number. One beyond `farthest` is clamped to it, so that it is refused as
  /// a past day or as one too far ahead.
  static func moment(of instead: String) -> Int64? {
    let number = Int64(instead.hasPrefix(button) ? instead.dropFirst(button.count) : instead[...])
    return number.map { min(max($0, -farthest), farthest) }
  }

  private static func value(of time: Slot) -> String {
    button + String(time.span.lowerBound.seconds)
  }
}
