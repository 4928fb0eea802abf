import PolyclinicCore
import PolyclinicPlaces

extension DoctorPlacement {
  /// Returns a time in the clinic's time zone, with the date if it is not today.
  func clock(_ instant: Instant, _ context: Context) -> String {
    let formats = Formats(language: context.language, timeZone: clinic.zone)
    let isToday = formats.day(of: instant) == formats.day(of: context.now)
    return isToday ? formats.time(instant) : formats.dateTime(instant)
  }

  /// Returns a date and time in the clinic's time zone.
  func dateTime(_ instant: Instant, _ context: Context) -> String {
    Formats(language: context.language, timeZone: clinic.zone).dateTime(instant)
  }

  /// Returns the specialization and the clinic, on one line.
  func place(_ context: Context) -> HTML {
    """
    \(context.text(department.specialization.title)) · \
    <bdi>\(clinic.name.string(in: context.language))</bdi>
    """
  }
}

extension OutsideLink {
  /// Returns the page of OpenStreetMap that finds the way to a place.
  static func directions(to place: Coordinates) -> OutsideLink? {
    web("https://www.openstreetmap.org/directions?to=\(place.written(separator: ","))")
  }
}
