import PolyclinicCore

/// The data of a day for the reception or the doctor: the days of the clinics, and the patients.
struct StaffDay {
  let days: [ClinicDay]
  /// The purpose of the page: the reception's work, or the doctor's own day.
  let reason: AccessReason
  /// The waiting lists that are open, by doctor.
  let waitingLists: [ID<Doctor>: WaitingListSchedule]
  /// The appointments of the patients who are with their doctors now.
  let called: Set<ID<Appointment>>
  /// The appointments of patients whom the doctor has not seen before.
  let firstVisits: Set<ID<Appointment>>
  /// The patients whose data the visitor may open.
  let patients: [ID<Person>: Portal.ListedPerson]
  /// The words of the patients about their visits, which only the doctor may read.
  let details: [ID<Appointment>: Booking.Details]
  /// The bookings of the doctor's next day with any, if this day has none; empty at the reception.
  let next: [Booking]
  /// The names of the doctors in the visitor's language.
  let names: [ID<Doctor>: String]
  let context: Context

  /// Loads what the days show. Needs a write transaction, because showing the names of the patients
  /// whose bookings staff may still see adds entries to their access logs.
  init(_ days: [ClinicDay], for reason: AccessReason, _ context: Context) throws {
    (self.days, self.reason, self.context) = (days, reason, context)
    waitingLists =
      reason == .reception
      ? try days.reduce(into: [:]) { lists, day in
        lists.merge(try day.waitingLists(context)) { one, _ in one }
      } : [:]
    let all = days.flatMap(\.bookings)
    let visible = all.filter { $0.isVisible(for: reason, at: context.now) }
    let works = try context.of(
      Array(
        Set(
          visible.map(\.patient) + waitingLists.values.flatMap { $0.people(at: context.now) })),
      for: reason, reading: reason == .care ? "log.viewed.day" : "log.viewed.list")
    patients = try Portal.ListedPerson.patients(works, for: reason, context)
    details =
      try reason == .care
      ? visible.reduce(into: [:]) { found, booking in
        found[booking.id] = try works[booking.patient].map { try booking.details(by: $0.keys) }
      } : [:]
    firstVisits = try Booking.firstVisits(among: all, in: context)
    next = try reason == .care && all.isEmpty ? days.flatMap { try $0.nextBookings(context) } : []
    called = Set(try days.flatMap { try $0.called(context) })
    names = Dictionary(
      try days.flatMap(\.doctors).map { ($0.doctor.id, try $0.doctor.name.shown(context)) }
    ) { one, _ in one }
  }

  /// True if the page is today's, which changes by itself, as patients come.
  var isToday: Bool { days.contains(where: \.isToday) }
  var isReception: Bool { reason == .reception }

  /// Returns the address of the page of a day.
  func path(_ date: CalendarDate) -> Path {
    Booking.days(for: reason).query(["date": date.description])
  }

  /// Returns the time of the first of a later day's bookings, and their number.
  static func later(_ bookings: [Booking], from first: Booking, _ context: Context) -> Text {
    let time = BookingText.shortDateTime(Slot(span: first.span, zone: first.zone), context)
    return Text("day.later", ["time": time], count: bookings.count)
  }
}

extension Booking {
  /// Returns those of a day's bookings whose patients the doctor has not seen on an earlier day.
  fileprivate static func firstVisits(
    among bookings: [Booking], in work: Work
  ) throws -> Set<ID<Appointment>> {
    guard let first = bookings.map(\.span.lowerBound).min() else { return [] }
    let (patients, doctors) = (Set(bookings.map(\.patient)), Set(bookings.map(\.doctor)))
    var known: [ID<Person>: Set<ID<Doctor>>] = [:]
    try work.forEach(
      """
      SELECT person, doctor FROM appointments
      WHERE person IN \(list: patients.sorted()) AND doctor IN \(list: doctors.sorted())
        AND status IN ('arrived', 'fulfilled') AND starts_at < \(first)
      UNION
      SELECT person, doctor FROM appointments_tickets
        JOIN appointments_sessions ON id_session = session
      WHERE person IN \(list: patients.sorted()) AND doctor IN \(list: doctors.sorted())
        AND appointments_tickets.called_at < \(first) AND \(Ticket.visited)
      """
    ) { row in
      known[row.id(0), default: []].insert(row.id(1))
    }
    return Set(bookings.filter { known[$0.patient]?.contains($0.doctor) != true }.map(\.id))
  }
}
