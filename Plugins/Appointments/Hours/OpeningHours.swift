import PolyclinicCore

/// The combined working hours of a clinic's doctors, and the next closures.
struct OpeningHours: Sendable {
  let hours: WeeklyHours
  /// The next days on which the clinic is closed, all day or for some hours.
  let closures: [(date: CalendarDate, minutes: Range<Int>)]
  /// The hours of the days to come without the closures, in the clinic's time zone.
  private let schedule: DoctorSchedule

  /// The maximum number of closures on a page.
  private static let mostClosures = 5
  /// The number of days in which the next opening is searched.
  private static let searchedDays = 14

  static func find(of clinic: Clinic, in work: Work) throws -> OpeningHours {
    try find(of: [clinic], in: work)[0]
  }

  /// Returns the opening hours of several clinics, in the same order. Runs two statements for all
  /// of them.
  static func find(of clinics: [Clinic], in work: Work) throws -> [OpeningHours] {
    let days = clinics.map { LocalDateTime(work.now, in: $0.zone).date }
    guard let first = days.min() else { return [] }
    var worked: [ID<Clinic>: [(weekday: Weekday?, minutes: Range<Int>)]] = [:]
    try work.forEach(
      """
      SELECT DISTINCT clinic, weekday, starts, ends FROM appointments_hours
      JOIN appointments_doctors ON id_doctor = doctor
      JOIN appointments_departments ON id_department = department
      WHERE clinic IN \(list: clinics.map(\.id)) AND kind = 'work'
        AND appointments_doctors.person IS NOT NULL AND disabled_at IS NULL AND closed_at IS NULL
      """
    ) { row in
      worked[row.id(0), default: []].append(
        (Weekday(number: row.int(1)), row.int(2)..<max(row.int(2), row.int(3))))
    }
    var closures: [ID<Clinic>: [(date: CalendarDate, minutes: Range<Int>)]] = [:]
    try work.forEach(
      """
      SELECT clinic, date, starts, ends FROM appointments_exceptions
      WHERE clinic IN \(list: clinics.map(\.id)) AND kind = 'off' AND date >= \(first)
      ORDER BY date, starts, id_exception
      """
    ) { row in
      guard let date = row.date(1) else { return }
      closures[row.id(0), default: []].append((date, row.int(2)..<max(row.int(2), row.int(3))))
    }
    return zip(clinics, days).map { clinic, today in
      let ahead = (closures[clinic.id] ?? []).filter { $0.date >= today }
      return OpeningHours(worked[clinic.id] ?? [], ahead, clinic.zone, from: today)
    }
  }

  private init(
    _ worked: [(weekday: Weekday?, minutes: Range<Int>)],
    _ closures: [(date: CalendarDate, minutes: Range<Int>)], _ zone: Zone, from today: CalendarDate
  ) {
    var spans: [Weekday: Spans<Int>] = [:]
    for case (let weekday?, let minutes) in worked {
      spans[weekday, default: Spans()].insert(minutes)
    }
    hours = WeeklyHours(spans)
    self.closures = Array(closures.prefix(Self.mostClosures))
    schedule = DoctorSchedule(
      zone: zone, days: today...today.adding(days: Self.searchedDays),
      hours: spans.flatMap { weekday, spans in
        spans.ranges.map {
          DoctorSchedule.Hours(weekday: weekday.number, minutes: $0, kind: .work)
        }
      },
      specialDays: closures.map {
        DoctorSchedule.SpecialDay(date: $0.date, minutes: $0.minutes, kind: .off)
      })
  }
}

extension OpeningHours {
  /// The state of the clinic at a moment.
  enum State: Equatable, Sendable {
    /// Open until a moment; nil if that is more than a day away.
    case open(until: Instant?)
    /// Closed until a moment; nil if it does not open in the days to come.
    case closed(until: Instant?)
  }

  func state(at now: Instant) -> State {
    guard let period = period(at: now) else { return .closed(until: nil) }
    if !period.contains(now) { return .closed(until: period.lowerBound) }
    return .open(until: period.upperBound - now > .days(1) ? nil : period.upperBound)
  }

  /// Returns the hours that contain a moment, or else the next ones. One more day is read after
  /// them, because they may go on after midnight.
  func period(at now: Instant) -> Range<Instant>? {
    var periods = Spans<Instant>()
    var date = schedule.days.lowerBound
    while date <= schedule.days.upperBound {
      let isFound = periods.ranges.contains { $0.upperBound > now }
      for period in schedule.working(on: date) { periods.insert(period) }
      if isFound { break }
      date = date.adding(days: 1)
    }
    return periods.ranges.first { $0.upperBound > now }
  }

  /// Returns “Open now · closes 18:00” or “Closed · opens Monday 08:00” as a badge, in the clinic's
  /// local time; nil without hours.
  func badge(_ context: Context) -> HTML? {
    if hours.isEmpty { return nil }
    switch state(at: context.now) {
    case .open(nil): return context.badge("clinic.open", .good)
    case .open(let end?):
      return context.badge(Text("clinic.open.until", ["time": clock(end, context)]), .good)
    case .closed(nil): return context.badge("clinic.shut", .off)
    case .closed(let start?): return context.badge(opening(at: start, context), .off)
    }
  }

  /// Returns the hours of the present day, such as “08:00–20:00”; empty if the clinic is closed.
  func today(_ context: Context) -> String {
    let today = LocalDateTime(context.now, in: schedule.zone).date
    return schedule.working(on: today).map {
      "\(clock($0.lowerBound, context))–\(clock($0.upperBound, context))"
    }.joined(separator: ", ")
  }

  private func clock(_ moment: Instant, _ context: Context) -> String {
    context.formats.time(LocalDateTime(moment, in: schedule.zone))
  }

  private func opening(at start: Instant, _ context: Context) -> Text {
    let time = clock(start, context)
    let date = LocalDateTime(start, in: schedule.zone).date
    let today = LocalDateTime(context.now, in: schedule.zone).date
    switch date.daysSince1970 - today.daysSince1970 {
    case 0: return Text("clinic.shut.until-today", ["time": time])
    case 1...6:
      let day = context.text(Text("weekday.on.\(date.weekday)"))
      return Text("clinic.shut.until", ["day": day, "time": time])
    default:
      return Text(
        "clinic.shut.until", ["day": context.formats.monthDay(date.monthDay), "time": time])
    }
  }

  /// Returns the hours with the closed days, and a note with the time zone if it is not the
  /// reader's own.
  func lines(_ context: Context) -> HTML {
    """
    \(hours.lines(off: "clinic.hours.off", context))\
    \(WeeklyHours.zoneNote(schedule.zone, context))
    """
  }
}
