import PolyclinicCore

/// A clinic's bookings and free times on one day, by doctor.
struct ClinicDay {
  let clinic: Clinic
  let date: CalendarDate
  /// True for the present day at the clinic.
  let isToday: Bool
  private(set) var doctors: [OfDoctor]

  /// The day of one doctor.
  struct OfDoctor {
    let placement: DoctorPlacement
    let bookings: [Booking]
    /// The times to come, free or taken; empty for a doctor who cannot be booked any more.
    let times: [Slot]
    /// Those of the times that can be booked.
    let free: [Slot]
    /// The time between two working periods of the day.
    let breaks: [Range<Instant>]
    /// The reason why there are none, or their number.
    let state: DayState
    /// The time off on the day; nil without any.
    let off: DayOff?

    var doctor: Doctor { placement.doctor }
  }

  /// Loads the day of all doctors of a clinic that is in the query, by default today at the clinic.
  /// The doctors are in the order of their names. Those who cannot be booked any more are listed
  /// while they have bookings, because those patients still come.
  init(_ clinic: Clinic, _ context: Context) throws {
    let all = try DoctorPlacement.all(at: clinic.id, in: context)
    let found = Dictionary(uniqueKeysWithValues: all.map { ($0.doctor.id, $0) })
    let placements = try all.map(\.doctor).sorted(by: context.portal.keys, in: context.language)
      .compactMap { found[$0.id] }
    let date = Self.date(at: clinic, context)
    let availabilities = try Availability.find(
      placements.map { ($0, date...date) }, settings: context.portal.settings, in: context)
    let bookings = try Self.bookings(of: placements, at: clinic, on: date, in: context)
    try self.init(
      Array(zip(placements, availabilities)), bookings, at: clinic, on: date, context)
    doctors.removeAll { !$0.placement.isOpen && $0.bookings.isEmpty }
  }

  /// Loads the day of one doctor that is in the query, by default today at the clinic. Time that is
  /// held for a patient who is booking counts as free.
  init(_ placement: DoctorPlacement, _ context: Context) throws {
    let clinic = placement.clinic
    let date = Self.date(at: clinic, context)
    let bookings = try Self.bookings(of: [placement], at: clinic, on: date, in: context)
    let taken = bookings.filter { $0.status != .cancelled && $0.status != .noshow }.map(\.span)
    let availability = Availability(
      schedule: try DoctorSchedule.find(of: placement, during: date...date, in: context),
      length: try placement.slot(context.portal.settings), now: context.now,
      claimed: ClaimedTime(taken))
    try self.init([(placement, availability)], bookings, at: clinic, on: date, context)
  }

  private init(
    _ doctors: [(placement: DoctorPlacement, availability: Availability)], _ bookings: [Booking],
    at clinic: Clinic, on date: CalendarDate, _ context: Context
  ) throws {
    let today = LocalDateTime(context.now, in: clinic.zone).date
    let isBookable = date <= today.adding(days: BookingRequest.horizon)
    let ofDoctors = Dictionary(grouping: bookings, by: \.doctor)
    let off = doctors.filter { $0.availability.schedule.isOff(on: date) }.map { one in
      (doctor: one.placement.doctor, bookings: ofDoctors[one.placement.doctor.id] ?? [])
    }
    let daysOff = try off.isEmpty ? [:] : DayOff.find(of: off, at: clinic, on: date, in: context)
    (self.clinic, self.date, isToday) = (clinic, date, date == today)
    self.doctors = doctors.map { placement, availability in
      let times =
        placement.isOpen && isBookable
        ? availability.schedule.times(of: availability.length, on: date)
          .filter { $0.span.lowerBound > context.now } : []
      let periods = availability.schedule.working(on: date)
      return OfDoctor(
        placement: placement, bookings: ofDoctors[placement.doctor.id] ?? [], times: times,
        free: times.filter { availability.isFree($0.span) },
        breaks: zip(periods, periods.dropFirst()).map { $0.upperBound..<$1.lowerBound },
        state: availability.state(of: date, at: context.now), off: daysOff[placement.doctor.id])
    }
  }

  /// Returns the day in the query, by default today at the clinic.
  private static func date(at clinic: Clinic, _ context: Context) -> CalendarDate {
    CalendarDate(context.request.query["date"]) ?? LocalDateTime(context.now, in: clinic.zone).date
  }

  private static func bookings(
    of placements: [DoctorPlacement], at clinic: Clinic, on date: CalendarDate, in work: Work
  ) throws -> [Booking] {
    var whole = Spans<Int>()
    whole.insert(DayMinutes.wholeDay)
    return try clinic.zone.moments(of: whole, on: date).ranges.first.map {
      try Booking.all(of: placements.map(\.doctor.id), startingIn: $0, in: work)
    } ?? []
  }

  /// The bookings of all doctors.
  var bookings: [Booking] { doctors.flatMap(\.bookings) }

  /// Returns the open waiting lists of the doctors; empty if the day is not today.
  func waitingLists(_ context: Context) throws -> [ID<Doctor>: WaitingListSchedule] {
    guard isToday else { return [:] }
    let open = Set(try WaitingListSession.openDoctors(in: context))
    let lists = doctors.map(\.doctor.id).filter(open.contains)
    if lists.isEmpty { return [:] }
    return try WaitingList.schedules(ofDoctors: lists, in: context)
      .filter { $0.value.isOpen(at: context.now) }
  }

  /// Returns the appointments of the patients who are with the doctors now; empty if the day is not
  /// today.
  func called(_ context: Context) throws -> [ID<Appointment>] {
    let calling = doctors.filter { $0.bookings.contains(where: \.isCalled) }.map(\.doctor.id)
    guard isToday, !calling.isEmpty else { return [] }
    return try Booking.called(of: calling, in: context).values.map(\.id)
  }

  /// Returns the open bookings of the next day after this one on which the doctors have any,
  /// earliest first; at most 100. Days that are over are left out.
  func nextBookings(_ context: Context) throws -> [Booking] {
    let end = max(context.now, clinic.zone.start(of: date.adding(days: 1)))
    let found = try Booking.all(
      where: """
        doctor IN \(list: doctors.map(\.doctor.id)) AND starts_at >= \(end)
          AND \(Appointment.Status.open)
        ORDER BY starts_at, id_appointment LIMIT 100
        """, in: context)
    return Array(found.prefix { $0.local.date == found.first?.local.date })
  }

  /// Returns today's bookings of doctors that are not cancelled, the earliest first.
  static func today(
    of doctors: [ID<Doctor>], at clinic: Clinic, in work: Work
  ) throws -> [Booking] {
    let date = LocalDateTime(work.now, in: clinic.zone).date
    let (start, end) = (clinic.zone.start(of: date), clinic.zone.start(of: date.adding(days: 1)))
    guard start < end else { return [] }
    return try Booking.all(of: doctors, startingIn: start..<end, in: work)
      .filter { $0.status != .cancelled }
  }

  /// Returns a doctor's bookings of today, and the open ones of the next day with any, the earliest
  /// first. Bookings that are cancelled are left out. Runs one statement, which reads at most 200.
  static func todayAndNext(
    of doctor: ID<Doctor>, at clinic: Clinic, in work: Work
  ) throws -> (today: [Booking], next: [Booking]) {
    let date = LocalDateTime(work.now, in: clinic.zone).date
    let found = try Booking.all(
      where: """
        doctor = \(doctor) AND starts_at >= \(clinic.zone.start(of: date)) AND status <> 'cancelled'
        ORDER BY starts_at, id_appointment LIMIT 200
        """, in: work)
    let later = found.drop { $0.local.date <= date }.filter(\.status.isOpen)
    return (
      found.filter { $0.local.date == date },
      Array(later.prefix { $0.local.date == later.first?.local.date })
    )
  }
}
