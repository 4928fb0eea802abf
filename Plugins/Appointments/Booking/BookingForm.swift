import PolyclinicCore

/// The last steps of a patient's booking: the doctor's times, then the form.
struct BookingForm: RoutedForm {
  static let address: Address<Void> = "/appointments/book"
  static let holding: Address<Void> = "/appointments/book/hold"
  static let title: Text = "booking.title"
  static let form = BookingRequest.ownForm
  static let submit: Text = "booking.submit"
  static let cancel = NewAppointment.path
  static var route: Route {
    Route(Self.self).keeping("doctor", "date", "time", "offset", "hold")
      .titled("times.title").leadingBack(to: NewAppointment.withDoctor).readableByEveryone
  }

  private let attempt: BookingAttempt
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    attempt = try .own(context)
  }

  static func origin(_ context: Context) -> Path? {
    context.times(at: path)?.query(SearchedDoctors(in: context.request.query).query)
  }

  /// Returns the path of a doctor's times.
  static func times(of doctor: ID<Doctor>) -> Path { path.query(["doctor": doctor.description]) }

  /// The page in place of the form: the doctor's times before one is chosen, and for a time the
  /// page that leads on if the visitor cannot book it, or books for somebody else.
  var before: Response? {
    get throws {
      let query = context.request.query
      if query["doctor"].isEmpty { return .redirect(to: NewAppointment.path) }
      let refusal = try refusal
      if !query.hasTime {
        if let unknown = try guestRefusal { return page("times.title", unknown) }
        return try refusal == nil || attempt.isAtReception
          ? times(besides: nil) : page("times.title", refusal)
      }
      if query[Self.forWhom] != Self.myself, try attempt.isAtReception {
        return .redirect(to: search)
      }
      guard let placement = try attempt.placement.get() else { throw Refusal.notFound }
      if attempt.isPatient(placement.doctor) {
        return page(Self.title, "\(try question.html)\(ownTimes)")
      }
      if let refusal { return page(Self.title, refusal) }
      let requested = try attempt.requestedIfAny
      guard context.visitor != nil else { return page(Self.title, try guest(requested)) }
      guard let requested else { return page("times.title", try attempt.linkToFreeTimes) }
      let isAnnounced = query.contains(EarlierTimeAlert.field)
      if let own = try attempt.own {
        if isAnnounced { return .redirect(to: own.path) }
        let summary = try BookingSummary(requested, context).facts(changing: .time)
        return page("booking.own.title", "\(attempt.ownNotice(own, "booking.own"))\(summary)")
      }
      // A booking first frees times that were held for too long.
      guard try attempt.isTaken,
        try !HeldTime.areOverdue(of: requested.placement.doctor.id, in: context)
      else { return nil }
      return try isAnnounced ? times(besides: requested.slot) : taken(at: requested.placement)
    }
  }

  /// Returns the page of a time that somebody else has booked: other times in place of the form.
  private func taken(at placement: DoctorPlacement) throws -> Response {
    let doctor = try placement.doctor.name.shown(context)
    let content: HTML = """
      <p class="lead">\(BookingText.placement(placement, context))</p>\
      \(try question.html)\(try attempt.notice)
      """
    let title = Text("times.title.with", ["doctor": doctor])
    return .page(Page(title, content, back: Self.origin(context)), status: 409)
  }

  private func page(_ title: Text, _ content: HTML?) -> Response {
    .page(Page(title, content ?? HTML(), back: Self.origin(context)))
  }

  /// The notice that the doctor accepts no new patients, with the way to other doctors, and the
  /// choice of another patient, whom the doctor may know; nil if the patient can book.
  private var refusal: HTML? {
    get throws {
      guard let placement = try attempt.refusingPlacement else { return nil }
      return """
        \(try question.html)\
        \(context.notice(
          .problem, placement.refusalOfNewPatients, action: placement.otherDoctors(context)))
        """
    }
  }

  private var question: PatientQuestion { get throws { try attempt.patientQuestion.get() } }

  private func times(besides taken: Slot?) throws -> Response {
    let doctor = try FreeTimePages.doctor(context)
    var pages = try FreeTimePages(
      base: Self.path, taken: taken, below: EarlierTimeAlertList.offer(doctor, context))
    let searched = SearchedDoctors(in: context.request.query)
    (pages.kept, pages.back) = (searched.query, searched.path)
    pages.backLabel = searched.path.map { _ in "doctors.title" }
    return try pages.show(doctor, context)
  }

  var start: BookingRequest {
    get throws {
      var start = try attempt.start()
      if context.request.method == .get { start.asks = try questions }
      return start
    }
  }

  /// The names of the questions that the page asks this patient.
  private var questions: String {
    get throws {
      let question = try question
      var asked: [BookingRequest.Question] = question.asksForBirthDate ? [.birth] : []
      if question.asksForChild { asked.append(.child) }
      return asked.map(\.rawValue).joined(separator: " ")
    }
  }

  var about: HTML? {
    get throws {
      guard let requested = try attempt.requestedIfAny else { return try attempt.linkToFreeTimes }
      return """
        \(try BookingSummary(requested, context).content(changing: .both))\
        \(try staffNotice)\(try question.html)\(try question.warning)\
        \(try attempt.notice)\(try held(at: requested.placement))\(try already(requested.slot))
        """
    }
  }

  /// Returns the notice until when the slot is held for a visitor who has just registered; nil if it
  /// is not.
  private func held(at placement: DoctorPlacement) throws -> HTML? {
    try attempt.heldUntil.map {
      context.notice(
        .remark, Text("booking.held", ["time": placement.clock($0, context)]), as: .information)
    }
  }

  /// Returns a notice of each appointment ahead that the patient has with this doctor, with the link
  /// that moves it to the requested time. Booking another one stays possible, because some patients
  /// need several visits.
  private func already(_ slot: Slot) throws -> HTML {
    let bookings = try attempt.others.filter { $0.isAhead(at: context.now) }
    let notices = try bookings.map { booking -> HTML in
      let shown = BookingText.dateTime(booking.span.lowerBound, in: booking.zone, context)
      let isOpen = try booking.reasonAgainstChange(context) == nil
      let change: HTML? =
        isOpen
        ? context.button(
          "booking.already.change",
          to: RescheduleForm.path(booking.id).query(slot.choices(with: booking.doctor)),
          style: [.secondary, .small]) : nil
      return context.notice(
        .remark, Text("booking.already", ["time": shown]), as: .warning, action: change)
    }
    return "\(notices)"
  }

  var instead: [Choice] { get throws { try attempt.choices } }

  func prepare(_ request: inout BookingRequest, in context: Context) throws {
    try request.requireAnswers(context.request.fields)
  }

  /// Books the slot, unless a second press has booked it already.
  func save(_ request: BookingRequest, in context: Context) throws -> Redirect {
    if let birthDate = request.birthDate {
      try context.portal.people.complete(birthDate: birthDate, in: context)
    }
    let booking =
      try attempt.own
      ?? attempt.book(purpose: request.purpose, seeing: request.seenChild(in: context))
    return Redirect(to: PatientAppointmentPage.confirmation(of: booking))
      .changing(Text("booked.title").spoken(by: context.module))
  }
}

/// A visitor who has not signed in.
extension BookingForm {
  /// The notice in place of the times of a doctor who accepts no new patients; nil for other
  /// doctors, and for a visitor who has signed in.
  private var guestRefusal: HTML? {
    get throws {
      guard context.visitor == nil, let placement = try attempt.placement.get(), placement.isOpen,
        try placement.doctor.name.profile(by: context.portal.keys).refusesNewPatients
      else { return nil }
      return .notice(.remark, placement.refusal(context), as: .warning)
    }
  }

  /// Returns the chosen slot with the ways to an account, which lead back to it, or the reason why
  /// it cannot be booked.
  private func guest(_ requested: BookingAttempt.Requested?) throws -> HTML? {
    guard let requested else { return try attempt.linkToFreeTimes }
    if let notice = try attempt.notice { return notice }
    let confirmation = requested.slot.confirmation(with: requested.placement.doctor.id)
    let next: Fields = Fields(["next": confirmation.description])
    let placement = requested.placement
    // A new account has no earlier visit, so the doctor would refuse its owner.
    let isRefusing = try placement.doctor.name.profile(by: context.portal.keys).refusesNewPatients
    let register: HTML? =
      isRefusing
      ? nil
      : context.button(
        "booking.register", posts: Self.holding.path,
        with: [
          "doctor": placement.doctor.id.description,
          "date": requested.slot.local.date.description,
          "time": context.choices["time"], "offset": context.choices["offset"],
          "hold": attempt.request.hold,
        ], style: .secondary)
    let only: HTML? =
      isRefusing
      ? context.notice(
        .remark, "booking.new-patient.guest", as: .warning, action: placement.otherDoctors(context))
      : nil
    return """
      \(try BookingSummary(requested, context).content(changing: .both))\(only)\
      \(try held(at: placement))\
      <section class="panel"><h2>\(context.text("booking.account"))</h2>\
      <p>\(context.text(
        context.portal.sendsMail ? "booking.account.hint" : "booking.account.hint.portal"))</p>\
      \(actions: context.button("booking.sign-in", to: Path("/login").query(next)), register)</section>
      """
  }

  /// Holds the chosen time while the visitor registers, and leads to the page of the registration,
  /// which leads back to it. Without a free time, the visitor learns of that there.
  static func hold(_ context: Context) throws -> Response {
    try context.respondingOnce { context in
      let attempt = try BookingAttempt.own(context)
      let requested = try attempt.requested()
      let doctor = requested.placement.doctor
      if try doctor.name.profile(by: context.portal.keys).refusesNewPatients {
        throw Refusal.conflict("booking.new-patient.guest")
      }
      let (span, known) = (requested.slot.span, attempt.request.hold)
      try WaitingList.settle(doctor.id, in: context)
      // A visitor who came back to this page holds the time already.
      let isHeld =
        try !known.isEmpty && HeldTime.find(known, of: doctor.id, in: context)?.span == span
      let token = try isHeld ? known : HeldTime.hold(span, of: doctor.id, in: context)
      let confirmation = requested.slot.confirmation(with: doctor.id)
      let next = token.map { confirmation.query(["hold": $0]) } ?? confirmation
      let response = Response.redirect(to: Path("/register").query(["next": next.description]))
      return token.map { response.keeping($0, inBrowserOf: context.module, as: HeldTime.kept) }
        ?? response
    }
  }
}

/// Staff who book for themselves.
///
/// They reach a free time by the same public pages as patients, but book nearly always for somebody
/// else. Therefore the last page leads receptionists of the clinic to the search for the patient,
/// unless they choose "for myself", names all other staff, and leads doctors who would book with
/// themselves to their day.
extension BookingForm {
  static let forWhom = "for"
  private static let myself = "myself"

  /// Returns the last page of a booking that is for the receptionist.
  static func forMyself(_ chosen: Fields) -> Path {
    var query = chosen
    query.append(forWhom, myself)
    return path.query(query)
  }

  /// The search for the patient, with the doctor and the time kept.
  private var search: Path {
    var query = context.choices.beforePatient
    query.append("search", "1")
    return ReceptionBooking.path.query(query)
  }

  private var ownTimes: HTML {
    context.notice(
      .remark, "booking.own-times", as: .warning,
      action: context.button(
        "day.card.more", to: DoctorDay.path, style: [.secondary, .small]))
  }

  /// The notice that a member of staff books for themselves, at their own reception with the link
  /// to book for a patient; nil for other visitors.
  private var staffNotice: HTML? {
    get throws {
      let visitor = try context.signedIn()
      guard visitor.worksForPatients else { return nil }
      let way: HTML? =
        try attempt.isAtReception
        ? context.button("reception.book", to: search, style: [.secondary, .small])
        : visitor.roles.contains(.receptionist)
          ? "<p>\(context.text("reception.own-booking.elsewhere"))</p>" : nil
      let text = context.text("reception.own-booking", ["name": visitor.name])
      return .notice(.remark, "<p>\(text)</p>\(way)", as: .warning)
    }
  }
}

extension BookingAttempt {
  /// True if the visitor works at the reception of the requested doctor.
  fileprivate var isAtReception: Bool {
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

extension Slot {
  /// Returns the path of the last page of a booking of this time.
  func confirmation(with doctor: ID<Doctor>) -> Path {
    BookingForm.path.query(choices(with: doctor))
  }
}
