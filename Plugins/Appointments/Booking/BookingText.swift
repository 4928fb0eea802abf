import PolyclinicCore

/// Localized texts about bookings.
enum BookingText {
  /// Returns a date as “Monday, 23 November 2026”.
  static func day(_ date: CalendarDate, _ context: Context) -> String {
    let weekday = context.text(Weekday.title(date.weekday))
    return context.text("day.long", ["weekday": weekday, "date": context.formats.date(date)])
  }

  /// Returns a date as “Mon, 23 November”.
  static func shortDay(_ date: CalendarDate, _ context: Context) -> String {
    shortDay(date, showing: context.formats.monthDay(date.monthDay), context)
  }

  /// Returns a day as a tile, its weekday above its number, and the month below them if it `isDated`.
  /// The tile of `today` is lit. Screen readers skip it, because the date stands beside it.
  static func tile(
    of date: CalendarDate, today: CalendarDate, isDated: Bool = false, _ context: Context
  ) -> HTML {
    let day: HTML = isDated ? "<b>\(context.formats.shortMonthDay(date))</b>" : "\(date.day)"
    return """
      <span class="day-tile\(attribute: " dated", if: isDated)\(attribute: " now", if: date == today)" aria-hidden="true">\
      <small>\(context.text(Text("day.short.\(date.weekday)")))</small>\(day)</span>
      """
  }

  private static func shortDay(
    _ date: CalendarDate, showing day: String, _ context: Context
  ) -> String {
    context.text(
      "day.short", ["weekday": context.text(Text("day.short.\(date.weekday)")), "date": day])
  }

  /// Returns the title of the page of an appointment, by which browsers list it in tabs and
  /// history. The year is part of it unless it is the current one.
  static func title(of appointment: LocalDateTime?, _ context: Context) -> Text {
    let time = appointment.map { local in
      let day =
        local.date.year == context.today.year
        ? shortDay(local.date, context)
        : shortDay(local.date, showing: context.formats.date(local.date), context)
      return "\(day), \(context.formats.time(local))"
    }
    return Text("appointment.title", ["time": time ?? ""])
  }

  /// Returns a time as “09:20”, or as “02:20 (UTC+01:00)” if clocks show it twice.
  static func time(_ time: Slot, _ context: Context) -> String {
    self.time(time.local, time.offset, context)
  }

  /// Returns a local time, with its UTC offset if there is one.
  static func time(_ local: LocalDateTime, _ offset: String?, _ context: Context) -> String {
    let shown = context.formats.time(local)
    return offset.map { "\(shown) (UTC\($0))" } ?? shown
  }

  /// Returns a time as “Mon, 23 November, 09:20”.
  static func shortDateTime(_ time: Slot, _ context: Context) -> String {
    "\(shortDay(time.local.date, context)), \(self.time(time, context))"
  }

  /// Returns a span as “Monday, 23 November 2026, 09:20–09:30”, in the local time of `zone`. If
  /// clocks show either end twice, both carry their UTC offset.
  static func span(_ span: Range<Instant>, in zone: Zone, _ context: Context) -> String {
    let (day, clocks) = parts(of: span, in: zone, context)
    return "\(day), \(clocks)"
  }

  /// Returns a span whose times do not break into two lines at the dash.
  static func unbrokenSpan(_ span: Range<Instant>, in zone: Zone, _ context: Context) -> HTML {
    let (day, clocks) = parts(of: span, in: zone, context)
    return "\(day), <span class=\"clocks\">\(clocks)</span>"
  }

  private static func parts(
    of span: Range<Instant>, in zone: Zone, _ context: Context
  ) -> (day: String, clocks: String) {
    let ends = [span.lowerBound, span.upperBound].map { Slot(span: $0..<$0, zone: zone) }
    let isDoubtful = ends.contains { $0.offset != nil }
    let clocks = ends.map { end in
      let offset = ZonedTime.written(zone.offset(at: end.span.lowerBound))
      let shown = context.formats.time(end.local)
      return isDoubtful ? "\(shown) (UTC\(offset))" : shown
    }
    return (day(ends[0].local.date, context), "\(clocks[0])–\(clocks[1])")
  }

  /// Returns a moment as “23 November 2026, 09:20”, in the local time of `zone`. Adds the UTC
  /// offset if clocks show that time twice.
  static func dateTime(_ moment: Instant, in zone: Zone, _ context: Context) -> String {
    let time = Slot(span: moment..<moment, zone: zone)
    let shown = context.formats.dateTime(time.local)
    return time.offset.map { "\(shown) (UTC\($0))" } ?? shown
  }

  static func name(of clinic: Clinic, _ context: Context) -> String {
    clinic.name.string(in: context.language)
  }

  /// Returns the message that changes are not possible within these hours before the appointment.
  /// It includes the clinic's phone number if there is one.
  static func tooLate(by hours: Int, _ clinic: Clinic?) -> Text {
    let phone = clinic?.phone ?? ""
    return phone.isEmpty
      ? Text("cancel.too-late.no-phone", count: hours)
      : Text("cancel.too-late", ["phone": phone], count: hours)
  }

  /// Returns “Cardiology · First Clinic”.
  static func placement(_ placement: DoctorPlacement, _ context: Context) -> HTML {
    """
    \(context.text(placement.department.specialization.title)) · \
    <bdi>\(name(of: placement.clinic, context))</bdi>
    """
  }

  /// Returns a hint that names the time zone; nil if it shows the same time as the portal's at that
  /// moment.
  static func zoneNote(_ zone: Zone, at moment: Instant, _ context: Context) -> HTML? {
    if haveSameOffset(zone, context.formats.timeZone, at: moment) { return nil }
    return """
      <p class="hint">\(context.text("booking.zone", ["zone": zone.identifier]))</p>
      """
  }

  /// Returns “23 November 2026, 09:20 (Europe/Rome)”. Leaves out the zone if `own` shows the same
  /// time.
  static func named(
    _ written: String, by zone: Zone, at moment: Instant, besides own: Zone
  ) -> String {
    haveSameOffset(zone, own, at: moment) ? written : "\(written) (\(zone.identifier))"
  }

  /// True if both zones show the same time at that moment.
  static func haveSameOffset(_ one: Zone, _ other: Zone, at moment: Instant) -> Bool {
    one.offset(at: moment) == other.offset(at: moment)
  }
}

extension Context {
  /// Returns the link of each time of a day, in local time and with its UTC offset if clocks show it
  /// twice. `day` is the page with a query that names the day, and `lead` begins each link.
  ///
  /// A page has hundreds of these links, so a time is converted once, and the day is written once.
  func buttons(
    forTimes times: [(local: LocalDateTime, offset: String?)], of day: Path,
    style: HTML.ButtonStyle, after lead: HTML? = nil
  ) -> [HTML] {
    buttons(for: times, to: day, style: style) { time in
      let repeated: HTML? = time.offset.map { "&amp;offset=\(percentEncoded($0))" }
      let (hour, minute) = (twoDigits[time.local.hour], twoDigits[time.local.minute])
      return "&amp;time=\(hour)%3A\(minute)\(repeated)"
    } showing: { time in
      "\(lead)\(BookingText.time(time.local, time.offset, self))"
    }
  }
}

/// Hours and minutes with two digits.
private let twoDigits: [HTML] = (0..<60).map { $0 < 10 ? "0\($0)" : "\($0)" }
