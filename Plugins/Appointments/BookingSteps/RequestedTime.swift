import PolyclinicCore

/// The doctor and the time that a form or a link asks for, and the notices about them.
enum RequestedTime {
  /// Returns the fields with the choices so far: those of the form if it was sent, else those of
  /// the query.
  static func fields(_ context: Context) -> Fields {
    context.request.method == .post ? context.request.fields : context.request.query
  }

  /// Returns the doctor and the time, or the doctor whose waiting list the patient joins, if they
  /// are chosen before the patient. Values that are too long for these are left out, because the
  /// others become part of an address.
  static func chosen(in fields: Fields) -> Fields {
    var chosen = Fields()
    for name in ["doctor", "date", "time", "offset", "list"] {
      let value = fields[name]
      if (1...32).contains(value.utf8.count) { chosen.append(name, value) }
    }
    return chosen
  }

  /// Returns the chosen alternative if there is one, else the time in the request's fields.
  static func time(
    _ request: BookingRequest, at placement: DoctorPlacement, _ context: Context
  ) throws -> Slot {
    var request = request
    if let number = Overlap.moment(of: context.request.fields["instead"]) {
      request = BookingRequest(
        placement,
        Slot(span: Instant(number)..<Instant(number), zone: placement.clinic.zone))
    }
    return try request.time(
      at: placement, now: context.now, settings: context.portal.settings, in: context)
  }

  /// True if nobody has booked the time, besides the booking that is rescheduled.
  static func isFree(
    _ time: Slot, _ placement: DoctorPlacement, besides rescheduled: Booking?,
    _ context: Context
  ) throws -> Bool {
    try Availability.around(time, of: placement, settings: context.portal.settings, in: context)
      .isFree(time.span, besides: rescheduled?.span)
  }

  /// Returns the notice for a visitor who follows an old link to a time that is taken; nil if the
  /// time is free. It is empty after a submission, because the response reports the conflict. If
  /// `patient` has booked the time, the notice leads to the appointment.
  static func takenNotice(
    _ time: Slot, _ placement: DoctorPlacement, besides rescheduled: Booking?,
    for patient: ID<Person>? = nil, _ context: Context
  ) throws -> HTML? {
    if try isFree(time, placement, besides: rescheduled, context) { return nil }
    guard context.request.method == .get else { return HTML() }
    let own = try patient.flatMap {
      try Booking.at(time, of: $0, with: placement.doctor.id, in: context)
    }
    if let own { return UnbookableTime.ownNotice(own, "reception.booked-already", context) }
    let others = freeTimes(of: placement.doctor.id, context)
    return context.notice(
      .problem, "booking.taken.before",
      action: context.button("booking.other-days", to: others, style: [.secondary, .small]))
  }

  /// Returns the summary of the requested time for staff, with a notice if it is taken or cannot be
  /// booked.
  static func summaryForStaff(
    besides rescheduled: Booking? = nil, for patient: ID<Person>? = nil, _ context: Context
  ) throws -> HTML? {
    guard let (placement, time) = try find(context) else {
      return try linkToFreeTimes(context)
    }
    let notice = try takenNotice(time, placement, besides: rescheduled, for: patient, context)
    let summary = BookingSummary(placement: placement, time: time, context: context)
    return "\(notice)\(try summary.facts(changing: .time))"
  }

  /// Returns the reason why the requested time cannot be booked, and a link to the doctor's free
  /// times. After a submission it leaves out the reason, because the form shows it beside the
  /// field.
  static func linkToFreeTimes(_ context: Context) throws -> HTML? {
    let reason = context.request.method == .get ? try obstacle(context) : nil
    let notice = reason.map { context.notice(.problem, $0) }
    guard let id = ID<Doctor>(fields(context)["doctor"]),
      let placement = try DoctorPlacement.find(id, in: context), placement.isOpen
    else { return notice }
    let times = freeTimes(of: id, context)
    return """
      \(notice)<p>\(context.button("line.book.all", to: times, style: [.secondary, .small]))</p>
      """
  }

  /// Returns the path of the requested doctor's times at `base` with the requested day open, which
  /// the last page of a booking by staff leads back to; nil without a doctor.
  static func times(at base: Path, _ context: Context) -> Path? {
    let sent = fields(context)
    if sent["doctor"].isEmpty { return nil }
    var kept = Fields()
    for name in ["patient_id", "doctor", "date"] where !sent[name].isEmpty {
      kept.append(name, sent[name])
    }
    return base.query(kept)
  }

  /// Returns the path of the doctor's free times, with the patient whom the reception has chosen.
  private static func freeTimes(of doctor: ID<Doctor>, _ context: Context) -> Path {
    var chosen = Fields(["doctor": doctor.description])
    let patient = fields(context)["patient_id"]
    if !patient.isEmpty { chosen.append("patient_id", patient) }
    return context.request.path.query(chosen)
  }

  /// Returns the reason why the requested time cannot be booked; nil if it can, or if none is
  /// requested.
  private static func obstacle(_ context: Context) throws -> Text? {
    let request = BookingRequest(chosen: fields(context))
    if request.doctor.isEmpty || request.date == nil || request.time == nil { return nil }
    do {
      _ = try checked(context)
      return nil
    } catch Refusal.invalid(_, let text) { return text }
  }

  /// Returns the doctor and the time of the form, with the chosen alternative if there is one.
  /// Throws ``Refusal/invalid(_:_:)`` with the reason if the time cannot be booked.
  static func checked(
    _ context: Context
  ) throws -> (DoctorPlacement, Slot) {
    let request = BookingRequest(chosen: fields(context))
    let placement = try request.placement(in: context)
    return (placement, try time(request, at: placement, context))
  }

  /// Returns the same as ``checked(_:)``; nil if the time cannot be booked.
  static func find(
    _ context: Context
  ) throws -> (DoctorPlacement, Slot)? {
    do {
      return try checked(context)
    } catch is Refusal { return nil }
  }
}

extension BookingRequest {
  /// Returns the form filled with the choices on earlier pages.
  static func start(_ context: Context) throws -> BookingRequest {
    var request = BookingRequest(chosen: RequestedTime.fields(context))
    guard context.request.method == .get else { return request }
    guard let id = ID<Doctor>(request.doctor),
      let placement = try DoctorPlacement.find(id, in: context)
    else { throw Refusal.notFound }
    request.clinic = placement.clinic.id.description
    request.department = placement.department.id.description
    return request
  }
}
