import PolyclinicCore

/// What people read of bookings, in their language.
enum BookingWords {
  /// The clinic's name for its number; nothing for an unknown one.
  @Sendable
  static func clinic(_ number: String, _ context: Context) throws -> String {
    guard let id = ID<Clinic>(number) else { return "" }
    let clinic = try context.database.read { try Clinic.find(id, on: $0) }
    return clinic.map { "\(name(of: $0, context)), \($0.address.city)" } ?? ""
  }

  /// What is treated in a department, for its number; nothing for an unknown one.
  @Sendable
  static func department(_ number: String, _ context: Context) throws -> String {
    guard let id = ID<Department>(number) else { return "" }
    let department = try context.database.read { try Department.find(id, on: $0) }
    return department.map { context.text($0.specialization.title) } ?? ""
  }

  /// The doctor's name for the number; nothing for an unknown one.
  @Sendable
  static func doctor(_ number: String, _ context: Context) throws -> String {
    guard let id = ID<Doctor>(number) else { return "" }
    return try context.database.read {
      try DoctorName.find(id, by: context.portal.keys, on: $0)
    } ?? ""
  }

  /// A day with its weekday; what was sent if it is not one.
  @Sendable
  static func date(_ text: String, _ context: Context) -> String {
    CalendarDate(text).map { day($0, context) } ?? text
  }

  /// “Monday, 23 November 2026”.
  static func day(_ date: CalendarDate, _ context: Context) -> String {
    context.text(
      "day.long",
      [
        "weekday": context.text(Weekday.title(date.weekday)),
        "date": context.formats.date(date),
      ])
  }

  /// “Mon, 23 November”.
  static func shortDay(_ date: CalendarDate, _ context: Context) -> String {
    context.text(
      "day.short",
      [
        "weekday": context.text(Text("day.short.\(date.weekday)")),
        "date": context.formats.monthDay(date.monthDay),
      ])
  }

  /// “09:20”, as in the list of times; what was sent if it is not one.
  @Sendable
  static func clock(_ text: String, _ context: Context) -> String {
    TimeOfDay(text).map(context.formats.time) ?? text
  }

  /// “09:20”, and where clocks show it twice “02:20 (UTC+01:00)”.
  static func time(_ time: BookableTime, _ context: Context) -> String {
    let shown = context.formats.time(time.local)
    return time.offset.map { "\(shown) (UTC\($0))" } ?? shown
  }

  /// “Mon, 23 November, 09:20”.
  static func shortDateTime(_ time: BookableTime, _ context: Context) -> String {
    "\(shortDay(time.local.date, context)), \(self.time(time, context))"
  }

  /// “Monday, 23 November 2026, 09:20–09:30”, by the clocks of `zone`; where they show one of the two
  /// times twice, it is told of both which is meant.
  static func span(_ span: Range<Instant>, in zone: Zone, _ context: Context) -> String {
    let ends = [span.lowerBound, span.upperBound].map { BookableTime(span: $0..<$0, zone: zone) }
    let isDoubtful = ends.contains { $0.offset != nil }
    let clocks = ends.map { end in
      let offset = ZonedTime.written(zone.offset(at: end.span.lowerBound))
      let shown = context.formats.time(end.local)
      return isDoubtful ? "\(shown) (UTC\(offset))" : shown
    }
    return "\(day(ends[0].local.date, context)), \(clocks[0])–\(clocks[1])"
  }

  /// “23 November 2026, 09:20”, and where the clocks of `zone` show it twice which of the two is meant.
  static func dateTime(_ moment: Instant, in zone: Zone, _ context: Context) -> String {
    let time = BookableTime(span: moment..<moment, zone: zone)
    let shown = context.formats.dateTime(time.local)
    return time.offset.map { "\(shown) (UTC\($0))" } ?? shown
  }

  static func name(of clinic: Clinic, _ context: Context) -> String {
    clinic.name.string(in: context.language)
  }

  /// That nothing can be changed within these hours before, and whom to call where somebody can be called.
  static func tooLate(by hours: Int, _ clinic: Clinic?) -> Text {
    let phone = clinic?.phone ?? ""
    return phone.isEmpty
      ? Text("cancel.too-late.no-phone", count: hours)
      : Text("cancel.too-late", ["phone": phone], count: hours)
  }

  /// “Dr. House · Cardiology · First Clinic”.
  static func practice(_ practice: Practice, _ context: Context) throws -> HTML {
    let doctor = try practice.doctor.name.opened(by: context.portal.keys)
    return """
      <p class="lead"><bdi>\(doctor)</bdi> · \
      \(context.text(practice.department.specialization.title)) · \
      <bdi>\(name(of: practice.clinic, context))</bdi></p>
      """
  }

  /// Whose clocks times are told by, where they show another time than the portal's at that moment.
  static func zoneNote(_ zone: Zone, at moment: Instant, _ context: Context) -> HTML? {
    if areAlike(zone, context.formats.timeZone, at: moment) { return nil }
    return """
      <p class="hint">\(context.text("booking.zone", ["zone": zone.identifier]))</p>
      """
  }

  /// “23 November 2026, 09:20 (Europe/Rome)”: whose clocks are meant, where one's own show another time.
  static func named(
    _ written: String, by zone: Zone, at moment: Instant, besides own: Zone
  ) -> String {
    areAlike(zone, own, at: moment) ? written : "\(written) (\(zone.identifier))"
  }

  /// Whether the clocks of both show the same at that moment.
  static func areAlike(_ one: Zone, _ other: Zone, at moment: Instant) -> Bool {
    one.offset(at: moment) == other.offset(at: moment)
  }
}
