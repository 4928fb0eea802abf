import PolyclinicCore

/// The last page of a booking, and what happens when it is sent.
extension AppointmentsModule {
  func startBooking(_ context: Context) throws -> BookingRequest {
    let sent = context.request.method == .post ? Fields() : context.request.query
    var request = BookingRequest(sent: sent)
    guard context.request.method == .get else { return request }
    guard let id = ID<Doctor>(request.doctor),
      let practice = try context.database.read({ try Practice.find(id, on: $0) })
    else { throw Refusal.notFound }
    request.clinic = practice.clinic.id.description
    request.department = practice.department.id.description
    return request
  }

  /// Books, or throws why not: a field that is not right, or that somebody was faster.
  func book(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws -> Path {
    "\(try claim(request, context, connection).id)?done=booked"
  }

  /// The booking that was asked for; throws as ``book(_:_:_:)``.
  func claim(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws -> Booking {
    let keys = try context.keys
    let practice = try request.practice(on: connection)
    let time = try chosenTime(request, at: practice, context, on: connection)
    if context.request.fields["instead"] != Self.overlap,
      !context.request.fields.contains(Self.overlap),
      try Overlap.find(time.span, by: keys, on: connection) != nil
    {
      throw Refusal.conflict("booking.overlap")
    }
    let booking = try asConflict {
      try Booking.claim(
        time, of: practice.doctor.id, for: keys.person, at: context.now, on: connection)
    }
    if !request.purpose.isEmpty {
      let details = Booking.Details(purpose: request.purpose)
      try Booking.write(details, to: booking.id, by: keys, on: connection)
    }
    let actor = AppointmentEvent.Actor(try context.signedIn(), as: .patient)
    try booking.record(by: actor, sealedBy: keys, at: context.now, on: connection)
    return booking
  }

  /// The name of the button and of the hidden field that say: in spite of another appointment then.
  static var overlap: String { "overlap" }

  /// What was typed or, of what was offered instead, chosen.
  func chosenTime(
    _ request: BookingRequest, at practice: Practice, _ context: Context, on connection: Connection
  ) throws -> BookableTime {
    var request = request
    if let number = Int64(context.request.fields["instead"]) {
      request = BookingRequest(
        practice,
        BookableTime(span: Instant(number)..<Instant(number), zone: practice.clinic.zone))
    }
    return try request.time(
      at: practice, now: context.now, settings: context.portal.settings, on: connection)
  }

  /// Whoever comes second is told so, kindly.
  @discardableResult
  func asConflict<Value>(_ claim: () throws -> Value) throws -> Value {
    do { return try claim() } catch is DoctorTime.Taken {
      throw Refusal.conflict("booking.taken")
    }
  }

  func aboutBooking(_ context: Context) throws -> HTML? {
    let sent = context.request.method == .post ? context.request.fields : context.request.query
    let keys = try context.keys
    return try context.database.read { connection in
      guard let (practice, time) = try asked(sent, context, on: connection) else { return nil }
      let other = try Overlap.find(time.span, by: keys, on: connection)
      let overlap: HTML? = try other.map {
        "\(try $0.notice(context, on: connection))\(Self.overlapSeen)"
      }
      return """
        \(try takenNotice(time, practice, context, on: connection))\(overlap)\
        \(BookingWords.zoneNote(practice.clinic.zone, at: time.span.lowerBound, context))
        """
    }
  }

  /// For who comes late by an old link; who sends the form too late is told by its answer.
  func takenNotice(
    _ time: BookableTime, _ practice: Practice, _ context: Context, on connection: Connection
  ) throws -> HTML? {
    guard context.request.method == .get else { return nil }
    let availability = try Availability.around(
      time, of: practice, at: context.now, settings: context.portal.settings, on: connection)
    if availability.isFree(time.span) { return nil }
    let others = context.request.path.query(["doctor": practice.doctor.id.description])
    return """
      <div class="notice warning"><p>\(context.text("booking.taken"))</p>\
      <a class="button secondary small" href="\(others)">\(context.text("booking.other-days"))</a></div>
      """
  }

  /// The doctor and the time that the fields name; nil where they name none that can be booked.
  func asked(
    _ sent: Fields, _ context: Context, on connection: Connection
  ) throws -> (Practice, BookableTime)? {
    let request = BookingRequest(sent: sent)
    do {
      let practice = try request.practice(on: connection)
      let time = try request.time(
        at: practice, now: context.now, settings: context.portal.settings, on: connection)
      return (practice, time)
    } catch is Refusal { return nil }
  }

  /// Whoever sends the form has read of it.
  private static var overlapSeen: HTML {
    "<input type=\"hidden\" name=\"\(overlap)\" value=\"seen\">"
  }

  func bookInstead(_ context: Context) throws -> [Choice] {
    let keys = try context.keys
    return try context.database.read { connection in
      let others = Self.choices(try alternatives(context, on: connection), context)
      guard let (practice, time) = try asked(context.request.fields, context, on: connection) else {
        return []
      }
      let availability = try Availability.around(
        time, of: practice, at: context.now, settings: context.portal.settings, on: connection)
      guard availability.isFree(time.span),
        try Overlap.find(time.span, by: keys, on: connection) != nil
      else { return others }
      return [Choice(Self.overlap, .text("booking.overlap.book"))] + others
    }
  }

  /// The free times nearest to the one that is asked for.
  func alternatives(_ context: Context, on connection: Connection) throws -> [BookableTime] {
    guard let (practice, time) = try asked(context.request.fields, context, on: connection) else {
      return []
    }
    let availability = try Availability.around(
      time, of: practice, at: context.now, settings: context.portal.settings, on: connection)
    return availability.nearest(to: time.span.lowerBound, count: 6)
  }

  static func choices(_ times: [BookableTime], _ context: Context) -> [Choice] {
    times.map {
      Choice(
        String($0.span.lowerBound.seconds), .verbatim(BookingWords.shortDateTime($0, context)))
    }
  }
}

extension Availability {
  /// Two weeks in which something may be had instead of a time, the day before it first.
  static func around(
    _ time: BookableTime, of practice: Practice, at now: Instant, settings: Settings,
    on connection: Connection
  ) throws -> Availability {
    let day = time.local.date
    let today = practice.local(now).date
    let days = max(today, day.adding(days: -1))...max(today, day.adding(days: 14))
    return try find(of: practice, during: days, at: now, settings: settings, on: connection)
  }
}
