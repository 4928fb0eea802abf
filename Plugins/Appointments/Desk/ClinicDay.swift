import PolyclinicCore

/// A clinic's bookings on one day, by doctor.
struct ClinicDay {
  let clinic: Clinic
  let date: CalendarDate
  /// True for the present day at the clinic.
  let isToday: Bool
  private(set) var doctors: [(doctor: Doctor, bookings: [Booking])]
  /// The time off of the doctors who have any on the day.
  let daysOff: [ID<Doctor>: DayOff]

  /// Loads the bookings of all doctors of a clinic on the day in the query, by default today at the
  /// clinic. Doctors who cannot be booked any more are listed while they have bookings, because
  /// those patients still come.
  init(_ clinic: Clinic, _ context: Context) throws {
    let departments = try Department.all(of: clinic.id, in: context)
    let found = Dictionary(
      grouping: try Doctor.all(of: departments.map(\.id), in: context), by: \.department)
    let doctors = try departments.flatMap {
      try (found[$0.id] ?? []).sorted(by: context.portal.keys)
    }
    let open = Set(departments.filter { $0.closedAt == nil }.map(\.id))
    try self.init(doctors, at: clinic, context)
    self.doctors.removeAll { doctor, bookings in
      let isBookable =
        doctor.person != nil && doctor.disabledAt == nil && open.contains(doctor.department)
      return !isBookable && bookings.isEmpty
    }
  }

  /// Loads the bookings of these doctors on the day in the query, by default today at the clinic.
  init(_ doctors: [Doctor], at clinic: Clinic, _ context: Context) throws {
    let today = LocalDateTime(context.now, in: clinic.zone).date
    let date = CalendarDate(context.request.query["date"]) ?? today
    var whole = Spans<Int>()
    whole.insert(0..<1_440)
    let bookings = try clinic.zone.moments(of: whole, on: date).ranges.first.map {
      try Booking.all(of: doctors.map(\.id), startingIn: $0, in: context)
    }
    let ofDoctors = Dictionary(grouping: bookings ?? [], by: \.doctor)
    (self.clinic, self.date, isToday) = (clinic, date, date == today)
    self.doctors = doctors.map { ($0, ofDoctors[$0.id] ?? []) }
    daysOff = try DayOff.find(of: self.doctors, at: clinic, on: date, in: context)
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
}
