import PolyclinicCore

/// The time off of a doctor on one day, and the appointments that are still booked in it.
struct DayOff: Sendable {
  /// The doctor's own time off and that of the clinic.
  let specialHours: [SpecialHours]
  /// The time off in the time zone of the clinic.
  let spans: [Range<Instant>]
  /// The appointments of patients who have not arrived.
  let booked: [Booking]

  /// Returns the time off of those doctors of a clinic who have any. `doctors` come with their
  /// bookings of the day.
  static func find(
    of doctors: [(doctor: Doctor, bookings: [Booking])], at clinic: Clinic, on date: CalendarDate,
    in work: Work
  ) throws -> [ID<Doctor>: DayOff] {
    let all = try SpecialHours.all(of: doctors.map(\.doctor.id), at: clinic.id, in: work)
    let off = Dictionary(
      grouping: all.filter { $0.kind == .off && $0.days.contains(date) }, by: \.owner)
    let ofClinic = off[.clinic(clinic.id)] ?? []
    var found: [ID<Doctor>: DayOff] = [:]
    for (doctor, bookings) in doctors {
      let specialHours = (off[.doctor(doctor.id)] ?? []) + ofClinic
      if specialHours.isEmpty { continue }
      var minutes = Spans<Int>()
      for one in specialHours { minutes.insert(one.minutes) }
      let spans = clinic.zone.moments(of: minutes, on: date).ranges
      let booked = bookings.filter { booking in
        booking.status == .booked && booking.isAhead(at: work.now)
          && spans.contains { $0.overlaps(booking.span) }
      }
      found[doctor.id] = DayOff(specialHours: specialHours, spans: spans, booked: booked)
    }
    return found
  }

  /// True if the doctor is off for the whole day.
  var isWholeDay: Bool { specialHours.contains(where: \.isWholeDay) }

  /// Returns “Day off” as a badge, with the times of a part of the day.
  func badge(_ context: Context) -> HTML {
    let times: HTML? =
      isWholeDay ? nil : " <bdi>\(DayMinutes.text(specialHours.map(\.minutes), context))</bdi>"
    return " \(context.badge("exception.off", .off))\(times)"
  }

  /// Returns the warning that appointments are still booked, with the page or the words of what the
  /// visitor can do about them; nil if there are none.
  func notice(for reason: AccessReason, _ context: Context) -> HTML? {
    if booked.isEmpty { return nil }
    let way = page(for: reason, context).map {
      context.button("admin.outside.show", to: $0, style: [.secondary, .small])
    }
    let words: Text = reason == .reception ? "day.off.reception" : "day.off.doctor"
    return context.notice(
      .remark, Text("day.off.booked", count: booked.count), as: .warning,
      action: way ?? "<p>\(context.text(words))</p>")
  }

  /// Returns the page on which the visitor moves or cancels all of the appointments; nil if they
  /// may not.
  private func page(for reason: AccessReason, _ context: Context) -> Path? {
    if context.visitor?.roles.contains(.administrator) == true, let first = specialHours.first {
      return SpecialHoursPage.path(first.id)
    }
    guard reason == .care else { return nil }
    return specialHours.first { $0.owner.doctor != nil }.map { OwnSpecialHoursPage.path($0.id) }
  }
}
