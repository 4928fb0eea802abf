import PolyclinicCore

/// Who is treated, who is next, and when: what follows from what is stored of a doctor's desk.
///
/// A value without a clock: it holds a treatment for each ticket, the stored ones and those that come
/// of themselves, one behind the other. Whoever asks brings the moment, and so two who ask at
/// different times read the same about the past.
struct WaitingLine: Sendable {
  /// A ticket, and when its treatment was, is, or is expected to be.
  struct Place: Sendable {
    let ticket: Ticket
    /// Nil for somebody who is not called any more, and where it lies beyond the known bookings.
    let treatment: Range<Instant>?
  }

  /// In the order of arrival.
  let places: [Place]
  /// Whether nobody has closed it: then it is open until the end of its day.
  private let isKept: Bool
  private let calendar: Calendar
  /// When the doctor has seen everybody who is in it; nil when that is not known.
  private let endsAt: Instant?

  /// What the doctor's time depends on besides the line.
  struct Calendar: Sendable {
    /// How long a treatment takes unless the doctor says that it is over.
    let slot: Seconds
    /// What is booked, in order.
    let booked: [Range<Instant>]
    /// How far the bookings are known.
    let horizon: Instant
    /// From when on nobody is called: the end of the day.
    let closesAt: Instant

    /// The first moment before it closes, not before `earliest`, from which a whole slot is not booked.
    func opening(from earliest: Instant) -> Instant? {
      var start = earliest
      for span in booked where span.upperBound > start && span.lowerBound < start + slot {
        start = span.upperBound
      }
      return start + slot <= horizon && start < closesAt ? start : nil
    }
  }

  /// The line of these tickets, which are in the order of arrival, at a doctor who calls nobody before
  /// `freeAt`; at a desk that is not open nobody is called any more.
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
    isKept = isOpen
    self.calendar = calendar
    endsAt = free
  }

  /// Whether it can be joined at a moment, and who waits in it is called.
  func isOpen(at now: Instant) -> Bool { isKept && now < calendar.closesAt }

  /// Whose treatment it is at a moment.
  func treated(at now: Instant) -> Place? { places.first { $0.isTreated(at: now) } }

  /// Who has not been called by then, in the order of the calls to come.
  func waiting(at now: Instant) -> [Place] {
    isOpen(at: now) ? places.filter { $0.isWaiting(at: now) } : []
  }

  /// Those who are treated or wait at a moment.
  func people(at now: Instant) -> [ID<Person>] {
    ((treated(at: now).map { [$0] } ?? []) + waiting(at: now)).map(\.ticket.person)
  }

  /// The place of a person who waits or is treated at a moment.
  func place(of person: ID<Person>, at now: Instant) -> Place? {
    treated(at: now).flatMap { $0.ticket.person == person ? $0 : nil }
      ?? waiting(at: now).first { $0.ticket.person == person }
  }

  /// How many are called before a place.
  func ahead(of place: Place, at now: Instant) -> Int {
    waiting(at: now).prefix { $0.ticket.id != place.ticket.id }.count
  }

  /// When somebody who joins at a moment is to be called; nil when nobody can join, or when it is not
  /// known.
  func call(joiningAt now: Instant) -> Instant? {
    guard isOpen(at: now), let endsAt else { return nil }
    return calendar.opening(from: max(endsAt, now))
  }

  /// Whether somebody who joins at a moment is treated at once.
  func isFree(at now: Instant) -> Bool { call(joiningAt: now) == now }

  /// What has come to pass by then and is not stored yet, in order.
  func unstored(at now: Instant) -> [Place] {
    places.filter { place in
      place.ticket.treatment == nil && place.treatment.map { $0.lowerBound <= now } ?? false
    }
  }

  /// The next moment after `now` at which somebody is called.
  func nextCall(after now: Instant) -> Instant? {
    places.lazy.compactMap { $0.treatment?.lowerBound }.first { $0 > now }
  }
}

extension WaitingLine.Place {
  /// Whether the treatment has begun and is not over.
  func isTreated(at now: Instant) -> Bool { treatment?.contains(now) ?? false }

  /// Whether the call is still to come.
  func isWaiting(at now: Instant) -> Bool {
    ticket.treatment == nil && treatment.map { now < $0.lowerBound } ?? true
  }
}
