import PolyclinicCore

/// One morning or evening of a week at home, as in an address: `2026-05-04-morning`.
struct WeekSlot: LosslessStringConvertible {
  let day: CalendarDate
  let part: HomeWeek.Part

  init(_ day: CalendarDate, _ part: HomeWeek.Part) {
    (self.day, self.part) = (day, part)
  }

  init?(_ description: String) {
    let part = HomeWeek.Part.allCases.first { description.hasSuffix("-\($0)") }
    guard let part, let day = CalendarDate(String(description.dropLast("-\(part)".count)))
    else { return nil }
    self.init(day, part)
  }

  var description: String { "\(day)-\(part)" }

  /// Returns the usual time of a reading of the slot, whose number begins at 0. Two readings are one
  /// to two minutes apart.
  func time(of number: Int, in zone: Zone) -> ZonedTime {
    let hour = part == .morning ? 8 : 20
    let moment = day.start(in: zone) + .hours(hour) + Seconds(Int64(number) * 120)
    return ZonedTime(moment, in: zone)
  }
}

/// The form for a reading that a week at home lacks, such as one that was written on paper. The time
/// is filled in, and the form leads back to the week.
struct WeekReading: RoutedForm {
  static let address: Address<WeekSlot> = "/health-metrics/home-week/readings/{slot}"
  static let title: Text = "pressure.new"
  static let form = BloodPressure.form
  static let again: Text? = "pressure.save-again"
  static let cancel = HomeWeekPage.path
  static var route: Route { Route(Self.self).saying(nil) }

  let start: BloodPressure

  init(_ context: Context) throws {
    let slot = try Self.address.value(in: context)
    let zone = context.formats.timeZone
    guard let week = try HomeWeek.find(Preferences.find(in: context), in: zone, in: context),
      let number = week.missing(slot, at: context.now, in: zone)
    else { throw Refusal.notFound }
    var reading = try BloodPressure.start(in: context)
    reading.measuredAt = slot.time(of: number, in: zone)
    start = reading
  }

  func save(_ reading: BloodPressure, in context: Context) throws -> Redirect {
    let page = try BloodPressure.create(reading, context)
    // The page of a severe reading says what to do now.
    let scheme = try Preferences.find(in: context).classes(context)
    return scheme.isSevere(reading.pressure)
      ? Redirect(to: page) : Redirect(to: HomeWeekPage.path).saying("pressure.saved")
  }
}

extension HomeWeek {
  /// Returns the number of the next reading of a slot, from 0; nil if the slot has all of them, is of
  /// another week or is still to come.
  func missing(_ slot: WeekSlot, at now: Instant, in zone: Zone) -> Int? {
    let day = slot.day.daysSince1970 - start.daysSince1970
    guard (0..<Self.days).contains(day) else { return nil }
    let number = readings(day, slot.part).count
    return number < Self.readings && slot.time(of: number, in: zone).instant <= now ? number : nil
  }
}
