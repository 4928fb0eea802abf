import PolyclinicCore

/// The last steps of a patient's booking, at `book`: the doctor's times, then the form.
enum BookingPages {
  private static let path: Path = "/appointments/book"

  static let route = Route.form(
    "book", BookingRequest.form, title: "booking.title", cancel: "new", submit: "booking.submit",
    subject: BookingAttempt.own, before: step, origin: { $0.times(at: path) },
    start: { attempt, _ in try attempt.start() }, about: about,
    instead: { attempt, _ in try attempt.choices }, save: book
  )
  .saying("appointment.done.booked").keeping("doctor", "date", "time", "offset")
  .leadingBack(to: "new?with=doctor").readableByEveryone

  /// Returns the page in place of the form: the doctor's times before one is chosen, and for a time
  /// the page that leads on if the visitor cannot book it, or books for somebody else.
  private static func step(
    _ attempt: BookingAttempt, _ context: Context
  ) throws -> Response? {
    let query = context.request.query
    if query["doctor"].isEmpty { return .redirect(to: "new") }
    if !query.hasTime { return try showTimes(besides: nil, context) }
    if query[forWhom] != myself, try attempt.isAtReception {
      return .redirect(to: search(context))
    }
    guard let placement = try attempt.placement.get() else { throw Refusal.notFound }
    if let visitor = context.visitor, placement.doctor.person == visitor.person {
      return page("booking.title", ownTimes(context), context)
    }
    let requested = try attempt.requestedIfAny
    guard context.visitor != nil else {
      return page("booking.title", try guest(attempt, requested, context), context)
    }
    guard let requested else { return page("times.title", try attempt.linkToFreeTimes, context) }
    let isAnnounced = query.contains(EarlierTimeAlert.field)
    if let own = try attempt.own {
      if isAnnounced { return .redirect(to: "/appointments/\(own.id)") }
      let summary = try BookingSummary(requested, context).facts(changing: .time)
      return page(
        "booking.own.title", "\(attempt.ownNotice(own, "booking.own"))\(summary)", context)
    }
    return try isAnnounced && attempt.isTaken
      ? showTimes(besides: requested.slot, context) : nil
  }

  private static func page(_ title: Text, _ content: HTML?, _ context: Context) -> Response {
    .page(Page(title, content ?? HTML(), back: context.times(at: path)))
  }

  private static func showTimes(
    besides taken: Slot?, _ context: Context
  ) throws -> Response {
    let doctor = try FreeTimePages.doctor(context)
    return try FreeTimePages(
      base: path, taken: taken, below: EarlierTimeAlertPages.offer(doctor, context)
    ).show(doctor, context)
  }

  private static func about(_ attempt: BookingAttempt, _ context: Context) throws -> HTML? {
    guard let requested = try attempt.requestedIfAny else { return try attempt.linkToFreeTimes }
    return """
      \(try staffNotice(attempt, context))\(try attempt.notice)\(try already(attempt, requested.slot))\
      \(try BookingSummary(requested, context).content(changing: .both))
      """
  }

  /// Returns a notice of each appointment ahead that the patient has with this doctor, with the link
  /// that moves it to the requested time. Booking another one stays possible, because some patients
  /// need several visits.
  private static func already(_ attempt: BookingAttempt, _ slot: Slot) throws -> HTML {
    let context = attempt.context
    let bookings = try attempt.others.filter { $0.isAhead(at: context.now) }
    let notices = try bookings.map { booking -> HTML in
      let shown = BookingText.dateTime(booking.span.lowerBound, in: booking.zone, context)
      let isOpen = try booking.reasonAgainstChange(context) == nil
      let change: HTML? =
        isOpen
        ? context.button(
          "booking.already.change",
          to: Path("/appointments/\(booking.id)/edit").query(slot.choices(with: booking.doctor)),
          style: [.secondary, .small]) : nil
      return context.notice(
        .remark, Text("booking.already", ["time": shown]), as: .warning, action: change)
    }
    return "\(notices)"
  }

  /// Books the slot, unless a second press has booked it already.
  private static func book(
    _ request: BookingRequest, _ attempt: BookingAttempt, _ context: Context
  ) throws -> Path {
    "\(try (attempt.own ?? attempt.book(purpose: request.purpose)).id)"
  }
}

/// A visitor who has not signed in.
extension BookingPages {
  /// Returns the chosen slot with the ways to an account, which lead back to it, or the reason why
  /// it cannot be booked.
  private static func guest(
    _ attempt: BookingAttempt, _ requested: BookingAttempt.Requested?, _ context: Context
  ) throws -> HTML? {
    guard let requested else { return try attempt.linkToFreeTimes }
    if let notice = try attempt.notice { return notice }
    let confirmation = requested.slot.confirmation(with: requested.placement.doctor.id)
    let next: Fields = Fields(["next": confirmation.description])
    return """
      \(try BookingSummary(requested, context).content(changing: .both))\
      <section class="panel"><h2>\(context.text("booking.account"))</h2>\
      <p>\(context.text(
        context.portal.sendsMail ? "booking.account.hint" : "booking.account.hint.portal"))</p>\(actions:
        context.button("booking.sign-in", to: Path("/login").query(next)),
        context.button(
          "booking.register", to: Path("/register").query(next), style: .secondary))</section>
      """
  }
}

/// Staff who book for themselves.
///
/// They reach a free time by the same public pages as patients, but book nearly always for somebody
/// else. Therefore the last page leads receptionists of the clinic to the search for the patient,
/// unless they choose "for myself", names all other staff, and leads doctors who would book with
/// themselves to their day.
extension BookingPages {
  private static let forWhom = "for"
  private static let myself = "myself"

  /// Returns the last page of a booking that is for the receptionist.
  static func forMyself(_ chosen: Fields) -> Path {
    var query = chosen
    query.append(forWhom, myself)
    return path.query(query)
  }

  /// Returns the search for the patient, with the doctor and the time kept.
  private static func search(_ context: Context) -> Path {
    var query = context.choices.beforePatient
    query.append("search", "1")
    return Path("/appointments/desk/book").query(query)
  }

  private static func ownTimes(_ context: Context) -> HTML {
    context.notice(
      .remark, "booking.own-times", as: .warning,
      action: context.button(
        "day.card.more", to: "/appointments/day", style: [.secondary, .small]))
  }

  /// Returns the notice that a member of staff books for themselves, at their own reception with
  /// the link to book for a patient; nil for other visitors.
  private static func staffNotice(
    _ attempt: BookingAttempt, _ context: Context
  ) throws -> HTML? {
    let visitor = try context.signedIn()
    guard visitor.worksForPatients else { return nil }
    let way: HTML? =
      try attempt.isAtReception
      ? context.button("reception.book", to: search(context), style: [.secondary, .small])
      : visitor.roles.contains(.receptionist)
        ? "<p>\(context.text("reception.own-booking.elsewhere"))</p>" : nil
    let text = context.text("reception.own-booking", ["name": visitor.name])
    return .notice(.remark, "<p>\(text)</p>\(way)", as: .warning)
  }
}

extension BookingAttempt {
  /// True if the visitor works at the reception of the requested doctor.
  var isAtReception: Bool {
    get throws {
      guard let visitor = context.visitor, visitor.roles.contains(.receptionist),
        let doctor = ID<Doctor>(request.doctor)
      else { return false }
      return try Receptionist.works(visitor.person, for: doctor, in: context)
    }
  }
}

extension Visitor {
  /// True for doctors and receptionists.
  var worksForPatients: Bool { !roles.isDisjoint(with: [.doctor, .receptionist]) }
}
