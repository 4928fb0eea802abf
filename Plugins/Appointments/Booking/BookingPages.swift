import PolyclinicCore

/// The last page of a booking, and what happens when it is sent.
extension AppointmentsModule {
  func startBooking(_ context: Context) throws -> BookingRequest {
    var request = BookingRequest(chosen: chosen(context))
    guard context.request.method == .get else { return request }
    guard let id = ID<Doctor>(request.doctor),
      let practice = try context.database.read({ try Practice.find(id, on: $0) })
    else { throw Refusal.notFound }
    request.clinic = practice.clinic.id.description
    request.department = practice.department.id.description
    return request
  }

  /// What says what was chosen before.
  func chosen(_ context: Context) -> Fields {
    context.request.method == .post ? context.request.fields : context.request.query
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
    try checkOwnLimit(at: practice, context, on: connection)
    try checkOverlap(at: time, context, on: connection)
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

  /// Throws ``Refusal/conflict(_:)`` where the patient has another appointment at that time, which was
  /// not pointed out yet.
  func checkOverlap(
    at time: BookableTime, besides id: ID<Appointment>? = nil, _ context: Context,
    on connection: Connection
  ) throws {
    if Overlap.isSeen(at: time, context.request.fields) { return }
    if try Overlap.find(time.span, besides: id, by: context.keys, on: connection) != nil {
      throw Refusal.conflict("booking.overlap")
    }
  }

  /// What was typed or, of what was offered instead, chosen.
  func chosenTime(
    _ request: BookingRequest, at practice: Practice, _ context: Context, on connection: Connection
  ) throws -> BookableTime {
    var request = request
    if let number = Overlap.moment(of: context.request.fields["instead"]) {
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
    try context.database.read { connection in
      guard let (practice, time) = try asked(context, on: connection) else {
        return try wayToFreeTimes(context, on: connection)
      }
      return """
        \(try ownLimitNotice(at: practice, context, on: connection)
          ?? aboutTime(time, practice, context, on: connection))\
        \(BookingWords.zoneNote(practice.clinic.zone, at: time.span.lowerBound, context))
        """
    }
  }

  /// That it is taken; or what the patient has at that time already, which whoever sends the form
  /// has read.
  func aboutTime(
    _ time: BookableTime, _ practice: Practice, besides moved: Booking? = nil,
    _ context: Context, on connection: Connection
  ) throws -> HTML? {
    if let taken = try takenNotice(time, practice, besides: moved, context, on: connection) {
      return taken
    }
    let other = try Overlap.find(
      time.span, besides: moved?.id, by: context.keys, on: connection)
    return try other.map {
      "\(try $0.notice(context, on: connection))\(Overlap.seen(at: time))"
    }
  }

  /// For who comes late by an old link; who sends the form too late is told by its answer. Nil for a time
  /// that is free.
  private func takenNotice(
    _ time: BookableTime, _ practice: Practice, besides moved: Booking?, _ context: Context,
    on connection: Connection
  ) throws -> HTML? {
    let availability = try Availability.around(
      time, of: practice, at: context.now, settings: context.portal.settings, on: connection)
    if availability.isFree(time.span, besides: moved) { return nil }
    guard context.request.method == .get else { return HTML() }
    let others = context.request.path.query(["doctor": practice.doctor.id.description])
    return """
      <div class="notice warning"><p>\(context.text("booking.taken"))</p>\
      <a class="button secondary small" href="\(others)">\(context.text("booking.other-days"))</a></div>
      """
  }

  /// What the staff reads of a time for a patient: that it is taken, or why it cannot be had; nil for one
  /// that is free.
  func noticeForStaff(
    besides moved: Booking? = nil, _ context: Context, on connection: Connection
  ) throws -> HTML? {
    guard let (practice, time) = try asked(context, on: connection) else {
      return try wayToFreeTimes(context, on: connection)
    }
    return try takenNotice(time, practice, besides: moved, context, on: connection)
  }

  /// For those who asked for a time that cannot be had: why, and where the doctor's free times are.
  /// Those who have sent the form read why beside its field.
  func wayToFreeTimes(_ context: Context, on connection: Connection) throws -> HTML? {
    let reason = context.request.method == .get ? try obstacle(context, on: connection) : nil
    let notice: HTML? = reason.map {
      "<div class=\"notice warning\"><p>\(context.text($0))</p></div>"
    }
    guard let id = ID<Doctor>(chosen(context)["doctor"]),
      let practice = try Practice.find(id, on: connection), practice.isOpen
    else { return notice }
    let times = context.request.path.query(["doctor": id.description])
    return """
      \(notice)<p><a class="button secondary small" href="\(times)">\
      \(context.text("line.book.all"))</a></p>
      """
  }

  /// Why the time that is asked for cannot be had; nil where it can, and where none is asked for.
  private func obstacle(_ context: Context, on connection: Connection) throws -> Text? {
    let request = BookingRequest(chosen: chosen(context))
    if request.doctor.isEmpty || request.date == nil || request.time == nil { return nil }
    do {
      _ = try checked(request, context, on: connection)
      return nil
    } catch Refusal.invalid(_, let text) { return text }
  }

  /// The doctor and the time of a request; throws ``Refusal`` where nothing can be booked then.
  private func checked(
    _ request: BookingRequest, _ context: Context, on connection: Connection
  ) throws -> (Practice, BookableTime) {
    let practice = try request.practice(on: connection)
    return (practice, try chosenTime(request, at: practice, context, on: connection))
  }

  /// The doctor and the time that the form is about: what it names or, of what was offered instead,
  /// chosen; nil where nothing can be booked then.
  func asked(
    _ context: Context, on connection: Connection
  ) throws -> (Practice, BookableTime)? {
    do {
      return try checked(BookingRequest(chosen: chosen(context)), context, on: connection)
    } catch is Refusal { return nil }
  }

  func bookInstead(_ context: Context) throws -> [Choice] {
    let keys = try context.keys
    return try context.database.read { connection in
      if try hasReachedLimit(context, on: connection) { return [] }
      return try instead(context, on: connection) {
        try Overlap.find($0.span, by: keys, on: connection) != nil
      }
    }
  }

  /// The time that is asked for, where only another appointment stands in its way, and others; `overlaps`
  /// says whether one does.
  func instead(
    besides moved: Booking? = nil, _ context: Context, on connection: Connection,
    where overlaps: (BookableTime) throws -> Bool
  ) throws -> [Choice] {
    guard let (time, around) = try aroundAsked(context, on: connection) else { return [] }
    let others = Self.choices(Self.nearest(to: time, in: around), context)
    guard around.isFree(time.span, besides: moved), try overlaps(time) else { return others }
    return [Overlap.choice(of: time, context)] + others
  }

  /// The free times nearest to the one that is asked for.
  func alternatives(_ context: Context, on connection: Connection) throws -> [BookableTime] {
    try aroundAsked(context, on: connection).map { Self.nearest(to: $0, in: $1) } ?? []
  }

  private func aroundAsked(
    _ context: Context, on connection: Connection
  ) throws -> (BookableTime, Availability)? {
    try asked(context, on: connection).map { practice, time in
      let around = try Availability.around(
        time, of: practice, at: context.now, settings: context.portal.settings, on: connection)
      return (time, around)
    }
  }

  private static func nearest(to time: BookableTime, in around: Availability) -> [BookableTime] {
    around.nearest(to: time.span.lowerBound, count: 6)
  }

  static func choices(_ times: [BookableTime], _ context: Context) -> [Choice] {
    times.map {
      Choice(
        String($0.span.lowerBound.seconds), .verbatim(BookingWords.shortDateTime($0, context)))
    }
  }
}
