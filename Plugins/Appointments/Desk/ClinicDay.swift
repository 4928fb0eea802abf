import PolyclinicCore

/// A clinic's bookings on one day, by doctor.
struct ClinicDay {
  let clinic: Clinic
  let date: CalendarDate
  private(set) var doctors: [(doctor: Doctor, bookings: [Booking])]
  /// The time off of the doctors who have any on the day.
  let daysOff: [ID<Doctor>: DayOff]

  /// Returns the bookings of all doctors of a clinic on the day in the query, by default today at
  /// the clinic. Doctors who cannot be booked any more are listed while they have bookings, because
  /// those patients still come.
  static func find(_ clinic: Clinic, _ context: Context) throws -> ClinicDay {
    let departments = try Department.all(of: clinic.id, in: context)
    let doctors = try departments.flatMap {
      try Doctor.all(of: $0.id, in: context).sorted(by: context.portal.keys)
    }
    let open = Set(departments.filter { $0.closedAt == nil }.map(\.id))
    var day = try find(doctors, at: clinic, context)
    day.doctors.removeAll { doctor, bookings in
      let isBookable =
        doctor.person != nil && doctor.disabledAt == nil && open.contains(doctor.department)
      return !isBookable && bookings.isEmpty
    }
    return day
  }

  /// Returns the bookings of one doctor on the day in the query, by default today at the clinic.
  static func find(_ placement: DoctorPlacement, _ context: Context) throws -> ClinicDay {
    try find([placement.doctor], at: placement.clinic, context)
  }

  private static func find(
    _ doctors: [Doctor], at clinic: Clinic, _ context: Context
  ) throws -> ClinicDay {
    let today = LocalDateTime(context.now, in: clinic.zone).date
    let date = CalendarDate(context.request.query["date"]) ?? today
    var whole = Spans<Int>()
    whole.insert(0..<1_440)
    let span = clinic.zone.moments(of: whole, on: date).ranges.first
    let bookings = Dictionary(
      grouping: try span.map {
        try Booking.all(of: doctors.map(\.id), startingIn: $0, in: context)
      } ?? [], by: \.doctor)
    let doctors = doctors.map { ($0, bookings[$0.id] ?? []) }
    let daysOff = try DayOff.find(of: doctors, at: clinic, on: date, in: context)
    return ClinicDay(clinic: clinic, date: date, doctors: doctors, daysOff: daysOff)
  }
}

extension ClinicDay {
  /// The bookings of all doctors.
  var bookings: [Booking] { doctors.flatMap(\.bookings) }

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

  /// Returns the open waiting lists of the doctors; empty if the day is not today.
  func waitingLists(_ context: Context) throws -> [ID<Doctor>: WaitingListSchedule] {
    guard LocalDateTime(context.now, in: clinic.zone).date == date else { return [:] }
    var waitingLists: [ID<Doctor>: WaitingListSchedule] = [:]
    let open = Set(try WaitingListSession.openDoctors(in: context))
    for (doctor, _) in doctors where open.contains(doctor.id) {
      let waitingList = try WaitingList.schedule(of: doctor.id, in: context)
      if waitingList.isOpen(at: context.now) { waitingLists[doctor.id] = waitingList }
    }
    return waitingLists
  }

  /// Returns the appointments of the patients who are with the doctors now; empty if the day is not
  /// today.
  func called(_ context: Context) throws -> [ID<Appointment>] {
    guard LocalDateTime(context.now, in: clinic.zone).date == date else { return [] }
    return try doctors.compactMap {
      try Booking.called(of: $0.doctor.id, in: context)?.id
    }
  }
}
