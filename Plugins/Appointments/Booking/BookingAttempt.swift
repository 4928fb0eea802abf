import PolyclinicCore

/// An attempt to book a slot of a doctor, or to move a booking to it.
///
/// Patients, the reception, doctors and the API share it. It reads the choices in the request, and
/// loads each thing once, when it is first needed. The page shows its obstacles as notices. The form
/// and the API refuse with those of the attempt that is made in the transaction of the booking.
final class BookingAttempt {
  let context: Context
  /// The patient; nil for a visitor who has not signed in, and before the reception has chosen one.
  let patient: ID<Person>?
  /// The member of staff who books for the patient; nil for patients who book for themselves.
  let staff: Booking.Staff?
  /// The booking that is moved; nil for a new one.
  let moved: Booking?

  /// The requested slot at its doctor's placement.
  struct Requested {
    let placement: DoctorPlacement
    let slot: Slot
    /// The doctor's working time on the days around the slot.
    fileprivate let schedule: DoctorSchedule
  }

  /// The placement of the requested doctor, open or not; nil for an unknown doctor.
  private(set) lazy var placement = Result { [context, request] in
    try ID<Doctor>(request.doctor).flatMap { try DoctorPlacement.find($0, in: context) }
  }
  private(set) lazy var patientQuestion = Result { try PatientQuestion(about: self) }
  private lazy var loaded = Result { try load() }
  private lazy var availability = Result { try findAvailability() }
  /// The span that is held for the patient since the registration, and until when; nil if none is.
  private lazy var held: Result<(span: Range<Instant>, until: Instant)?, any Error> = Result {
    [context, request] in
    try request.hold.isEmpty
      ? nil
      : ID<Doctor>(request.doctor).flatMap { try HeldTime.find(request.hold, of: $0, in: context) }
  }
  private lazy var found = Result { try findObstacles() }
  private lazy var bookings = Result { [context, patient] in
    try patient.map { try Booking.open(of: $0, after: context.now - .days(1), in: context) } ?? []
  }
  /// The choices in the request.
  let request: BookingRequest

  init(
    _ context: Context, for patient: ID<Person>?, by staff: Booking.Staff? = nil,
    moving moved: Booking? = nil
  ) {
    self.context = context
    self.patient = patient
    self.staff = staff
    self.moved = moved
    var request = BookingRequest(chosen: context.choices)
    if request.hold.isEmpty { request.hold = context.keptInBrowser(HeldTime.kept) ?? "" }
    if request.doctor.isEmpty, let moved { request.doctor = moved.doctor.description }
    self.request = request
  }

  /// Returns the visitor's attempt to book for themselves.
  static func own(_ context: Context) throws -> BookingAttempt {
    BookingAttempt(context, for: context.visitor == nil ? nil : try context.keys.person)
  }

  /// Returns the requested slot, free or taken. Throws ``Refusal/invalid(_:_:)`` with the reason if
  /// there is none that this visitor can book.
  func requested() throws -> Requested { try loaded.get() }

  /// The requested slot, free or taken; nil if there is none that this visitor can book.
  var requestedIfAny: Requested? {
    get throws { do { return try requested() } catch is Refusal { return nil } }
  }

  private func load() throws -> Requested {
    let placement = try request.checked(placement.get())
    if let moved, moved.doctor != placement.doctor.id {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    if let staff, moved == nil, try !staff.canBook(with: placement.doctor.id, in: context) {
      throw Refusal.invalid("doctor", "reception.foreign-doctor")
    }
    let instead = Overlap.moment(of: context.request.fields["instead"]).map { Instant($0) }
    let start = try request.start(at: placement, instead: instead, now: context.now)
    let (date, today) = (placement.local(start).date, placement.local(context.now).date)
    let days = max(today, date.adding(days: -1))...max(today, date.adding(days: 14))
    let schedule = try DoctorSchedule.find(of: placement, during: days, in: context)
    let slot = try schedule.slot(of: placement.slot(context.portal.settings), from: start)
    return Requested(placement: placement, slot: slot, schedule: schedule)
  }

  private func findAvailability() throws -> Availability {
    let requested = try self.requested()
    return try Availability(
      requested.schedule, of: requested.placement, settings: context.portal.settings, in: context)
  }
}

/// The reasons against the booking.
extension BookingAttempt {
  /// The obstacles, in the order in which the form and the API refuse with them. A claim of the slot
  /// by somebody else is none of them, because only the claim in the transaction finds it for
  /// certain: see ``isTaken``.
  var obstacles: [Obstacle] { get throws { try found.get() } }

  private func findObstacles() throws -> [Obstacle] {
    if let reason = try reasonAgainstChange { return [.unchangeable(reason)] }
    let requested: Requested
    do { requested = try self.requested() } catch let refusal as Refusal {
      return [.unbookable(refusal)]
    }
    let (slot, placement) = (requested.slot, requested.placement)
    if let moved, moved.span == slot.span {
      return staff == nil ? [] : [.unbookable(.invalid("time", "move.same"))]
    }
    if let own = try own { return [.own(own)] }
    var found: [Obstacle] = []
    if staff == nil, moved == nil {
      if isPatient(placement.doctor) {
        found.append(.ownTimes)
      } else if let newPatient = try newPatient(of: placement) {
        found.append(newPatient)
      }
      let most = try context.portal.settings.integer("open_bookings")
      let ahead = try bookings.get().count { $0.span.lowerBound > context.now }
      // Without a limit, a program could take all times of a doctor within seconds. It does not
      // apply to staff, because they know the reason.
      if most > 0, ahead >= most { found.append(.limit(most, phone: placement.clinic.phone)) }
    }
    if let overlap = try overlap(with: slot) { found.append(.overlap(overlap)) }
    return found
  }

  /// True if the doctor is the patient. A doctor may book for a child with themselves.
  func isPatient(_ doctor: Doctor) -> Bool { patient != nil && doctor.person == patient }

  /// Returns the obstacle that the doctor accepts no new patients and does not know this one; nil if
  /// there is none.
  private func newPatient(of placement: DoctorPlacement) throws -> Obstacle? {
    guard let patient, try placement.doctor.refuses(patient, in: context) else { return nil }
    return .newPatient(placement)
  }

  /// The doctor's placement, if the doctor accepts no new patients and does not know this one; nil
  /// for staff, and for the doctor themselves.
  var refusingPlacement: DoctorPlacement? {
    get throws {
      guard let placement = try placement.get(), staff == nil,
        !isPatient(placement.doctor), try newPatient(of: placement) != nil
      else { return nil }
      return placement
    }
  }

  /// True if a part of the slot is claimed, other than by the booking that is moved.
  var isTaken: Bool {
    get throws {
      let span = try requested().slot.span
      return try !availability.get().isFree(span, besides: moved?.span ?? held.get()?.span)
    }
  }

  /// The moment until which the slot is held for the patient; nil if it is not.
  var heldUntil: Instant? {
    get throws {
      guard let held = try held.get(), held.until > context.now,
        try held.span == requestedIfAny?.slot.span
      else { return nil }
      return held.until
    }
  }

  /// The patient's booking of exactly this slot, such as one that a second press has made; nil if
  /// there is none.
  var own: Booking? {
    get throws {
      guard let requested = try requestedIfAny else { return nil }
      return try bookings.get().first {
        $0.span == requested.slot.span && $0.doctor == requested.placement.doctor.id
      }
    }
  }

  /// The patient's open bookings with this doctor, since yesterday, that do not overlap the slot.
  var others: [Booking] {
    get throws {
      guard let requested = try requestedIfAny else { return [] }
      return try bookings.get().filter {
        $0.doctor == requested.placement.doctor.id && !$0.span.overlaps(requested.slot.span)
      }
    }
  }

  private var reasonAgainstChange: Text? {
    get throws {
      guard let moved else { return nil }
      if staff == nil, let reason = try moved.reasonAgainstChange(context) { return reason }
      if !moved.isAsShown(context) { return "move.changed" }
      return staff != nil && !moved.status.isOpen ? "reception.changed" : nil
    }
  }

  /// Returns another appointment of the patient at the time of a slot. Staff learns of bookings
  /// alone, because the reception must not read patients' appointments elsewhere.
  private func overlap(with slot: Slot) throws -> Overlap? {
    let booking = try bookings.get().first { $0.id != moved?.id && $0.span.overlaps(slot.span) }
    if let booking { return .booking(booking) }
    if patient == nil || staff != nil { return nil }
    return try PersonalAppointment.overlapping(slot.span, in: context).map(Overlap.personal)
  }
}

/// Other slots.
extension BookingAttempt {
  /// Returns the free slots nearest to the requested one at which the patient has no other
  /// appointment; none if these would be refused for the same reason. Throws
  /// ``Refusal/invalid(_:_:)`` if the requested slot cannot be booked any more, such as that of a
  /// doctor who was disabled a moment ago.
  var alternatives: [Slot] {
    get throws {
      if try obstacles.contains(where: \.isForAnySlot) { return [] }
      let start = try requested().slot.span.lowerBound
      return try availability.get().nearest(to: start, count: 6) { try overlap(with: $0) == nil }
    }
  }

  /// Returns the alternatives as buttons, behind the requested slot itself if it is free and only
  /// overlaps another appointment of the patient.
  var choices: [Choice] {
    get throws {
      let others = try alternatives.map {
        Choice(
          String($0.span.lowerBound.seconds), .verbatim(BookingText.shortDateTime($0, context)))
      }
      guard try !others.isEmpty || !obstacles.contains(where: \.isForAnySlot), try !isTaken,
        try overlap(with: requested().slot) != nil
      else { return others }
      return [Overlap.choice(of: try requested().slot, context)] + others
    }
  }
}

/// The change.
extension BookingAttempt {
  /// Books the slot, and returns the booking. The doctor sees the patient, or else the `child` for
  /// whom the patient books. Throws the refusal of the first obstacle that the
  /// patient or the member of staff has not accepted.
  ///
  /// - `newcomer` is the work of a patient whom the reception has just entered. Nobody is notified
  ///   then, and no access is logged.
  @discardableResult
  func book(
    purpose: String, seeing child: Booking.Child? = nil, for newcomer: Work? = nil
  ) throws -> Booking {
    let requested = try require()
    guard let patient = try newcomer?.keys.person ?? patient else { throw Refusal.signedOut }
    let own: Work? = newcomer ?? (staff == nil ? context : nil)
    if !request.hold.isEmpty {
      let doctor = requested.placement.doctor.id
      try WaitingList.settle(doctor, in: context)
      try HeldTime.release(request.hold, of: doctor, in: context)
    }
    let booking = try claiming {
      try Booking.claim(
        requested.slot, of: requested.placement.doctor.id, for: patient,
        details: own.map {
          (try $0.keys, Booking.Details(purpose: purpose, child: child ?? Booking.Child()))
        }, in: context)
    }
    // The appointment gives the reception access to the patient's data, so it is inserted first.
    let work = try own ?? staff?.open(booking, saying: "log.booked", context) ?? context
    try booking.write(purpose: purpose, in: work)
    try booking.record(by: try actor, sealedBy: work.keys, in: context)
    if staff == nil {
      try booking.confirm(
        .booked, with: requested.placement.doctor.name, from: context)
    } else if newcomer == nil {
      try booking.notifyPatient("notice.booked", from: context)
    }
    return booking
  }

  /// Moves the booking to the slot, and returns it as it is then; nil if it has that time already.
  /// Throws the same errors as ``book(purpose:seeing:for:)``.
  func move(reason: String = "") throws -> Booking? {
    guard let moved else { throw Refusal.notFound }
    let requested = try require()
    let slot = requested.slot
    if slot.span == moved.span { return nil }
    return try claiming {
      if let staff { return try moved.reschedule(to: slot, by: staff, reason: reason, context) }
      let rescheduled = try moved.reschedule(
        to: slot, by: actor, sealedBy: context.keys, in: context)
      try rescheduled.confirm(.moved, with: requested.placement.doctor.name, from: context)
      try moved.tellWaiting(context.portal, in: context)
      return rescheduled
    }
  }

  /// Moves the patient's own booking and stores the purpose. Returns true if it has another time
  /// than before. Throws the same errors as ``move(reason:)``.
  func moveOwn(saying purpose: String) throws -> Bool {
    let isMoved = try move() != nil
    try moved?.replace(purpose: purpose, in: context)
    return isMoved
  }

  private func require() throws -> Requested {
    for obstacle in try obstacles {
      if case .overlap = obstacle,
        Overlap.isAcknowledged(at: try requested().slot, context.request.fields)
      {
        continue
      }
      throw obstacle.refusal(for: self)
    }
    return try requested()
  }

  private var actor: HistoryEntry.Actor {
    get throws { try staff?.actor ?? .own(context) }
  }

  private func claiming(_ change: () throws -> Booking) throws -> Booking {
    do { return try change() } catch is ClaimedTime.Taken {
      throw Obstacle.taken.refusal(for: self)
    }
  }
}
