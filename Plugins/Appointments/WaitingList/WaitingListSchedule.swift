import PolyclinicCore

/// The treatments on a doctor's waiting list, computed from the stored tickets and bookings.
///
/// This is a value without a clock: it holds the stored treatments and the expected ones, one after
/// the other. Callers pass the moment, so that two calls at different times agree about the past.
struct WaitingListSchedule: Sendable {
  /// A ticket, and the time of its past, current or expected treatment.
  struct Place: Sendable {
    let ticket: Ticket
    /// The treatment time; nil if the patient will not be called, or if it lies beyond the known
    /// bookings.
    let treatment: Range<Instant>?
  }

  /// The places in the order of arrival.
  let places: [Place]
  /// The hours in which patients can join; nil for no limit.
  var joining: JoiningHours?
  /// True if the session is not closed. It is then open until the end of its day.
  private let isUnclosed: Bool
  private let calendar: Calendar
  /// The time when the doctor has treated all patients; nil if it is unknown.
  private let endsAt: Instant?

  /// The bookings and bounds from which expected calls are computed.
  struct Calendar: Sendable {
    /// The length of a treatment that the doctor does not end earlier.
    let slot: Seconds
    /// The booked time, in order.
    let booked: [Range<Instant>]
    /// The time up to which the bookings are known.
    let horizon: Instant
    /// The end of the day, when calls stop.
    let closesAt: Instant

    /// Returns the first time from `earliest` on at which a whole slot is not booked. Returns nil
    /// if it begins after the closing, or ends beyond the known bookings.
    func opening(from earliest: Instant) -> Instant? {
      var start = earliest
      for span in booked where span.upperBound > start && span.lowerBound < start + slot {
        start = span.upperBound
      }
      return start + slot <= horizon && start < closesAt ? start : nil
    }
  }

  /// Computes the treatments of tickets that are given in the order of arrival.
  ///
  /// No patient is called before `freeAt`. If the session is not open, no more patients are called.
  init(_ tickets: [Ticket], isOpen: Bool, freeAt: Instant, calendar: Calendar) {
    var free: Instant? = freeAt
    places = tickets.map { ticket in
      if let treatment = ticket.treatment { return Place(ticket: ticket, treatment: treatment) }
      guard isOpen, let earliest = free.map({ max($0, ticket.joinedAt) }) else {
        return Place(ticket: ticket, treatment: nil)
      }
      let start = calendar.opening(from: earliest)
      free = start.map { $0 + calendar.slot }
      return Place(ticket: ticket, treatment: start.map { $0..<$0 + calendar.slot })
    }
    isUnclosed = isOpen
    self.calendar = calendar
    endsAt = free
  }

  /// True if waiting patients are called at `now`.
  func isOpen(at now: Instant) -> Bool { isUnclosed && now < calendar.closesAt }

  /// True if patients can join at `now`.
  func canJoin(at now: Instant) -> Bool { isOpen(at: now) && joining?.contains(now) != false }

  /// The length of a treatment that the doctor does not end earlier.
  var slot: Seconds { calendar.slot }

  /// Returns the place whose treatment is under way at `now`.
  func treated(at now: Instant) -> Place? { places.first { $0.isTreated(at: now) } }

  /// Returns the places that are not called by `now`, in the order of the calls.
  func waiting(at now: Instant) -> [Place] {
    isOpen(at: now) ? places.filter { $0.isWaiting(at: now) } : []
  }

  /// Returns the people who are treated or wait at `now`.
  func people(at now: Instant) -> [ID<Person>] {
    ((treated(at: now).map { [$0] } ?? []) + waiting(at: now)).map(\.ticket.person)
  }

  /// Returns the place of a person who waits or is treated at `now`.
  func place(of person: ID<Person>, at now: Instant) -> Place? {
    treated(at: now).flatMap { $0.ticket.person == person ? $0 : nil }
      ?? waiting(at: now).first { $0.ticket.person == person }
  }

  /// Returns the number of patients who are called before a place.
  func ahead(of place: Place, at now: Instant) -> Int {
    waiting(at: now).prefix { $0.ticket.id != place.ticket.id }.count
  }

  /// Returns the number of patients who are expected to be called before `moment`, such as the
  /// start of an appointment.
  func calls(before moment: Instant, at now: Instant) -> Int {
    waiting(at: now).prefix { place in
      place.treatment.map { $0.lowerBound < moment } ?? false
    }.count
  }

  /// Returns the expected call of a patient who joins at `now`; nil if nobody can, or if the time
  /// is unknown.
  func call(joiningAt now: Instant) -> Instant? {
    guard canJoin(at: now), let endsAt else { return nil }
    return calendar.opening(from: max(endsAt, now))
  }

  /// True if a patient who joins at `now` is called at once.
  func isFree(at now: Instant) -> Bool { call(joiningAt: now) == now }

  /// Returns the time from `now` until the next appointment, for a call that is shorter than a
  /// whole treatment; nil while an appointment is under way, and if none is known.
  func gap(at now: Instant) -> Range<Instant>? {
    guard let next = calendar.booked.first(where: { $0.upperBound > now }), next.lowerBound > now
    else { return nil }
    return now..<next.lowerBound
  }

  /// Returns the calls that are due by `now` and not stored yet, in order.
  func unstored(at now: Instant) -> [Place] {
    places.filter { place in
      place.ticket.treatment == nil && place.treatment.map { $0.lowerBound <= now } ?? false
    }
  }

  /// Returns the time of the next call after `now`.
  func nextCall(after now: Instant) -> Instant? {
    places.lazy.compactMap { $0.treatment?.lowerBound }.first { $0 > now }
  }
}

extension WaitingListSchedule.Place {
  /// True if the treatment has begun and is not over.
  func isTreated(at now: Instant) -> Bool { treatment?.contains(now) ?? false }

  /// True if the patient is not called yet.
  func isWaiting(at now: Instant) -> Bool {
    ticket.treatment == nil && treatment.map { now < $0.lowerBound } ?? true
  }
}

extension WaitingListSchedule {
  /// The schedule of a doctor who has opened no session yet.
  static let closed = WaitingListSchedule(
    [], isOpen: false, freeAt: Instant(0),
    calendar: Calendar(
      slot: .minutes(0), booked: [], horizon: Instant(0), closesAt: Instant(0)))
}
