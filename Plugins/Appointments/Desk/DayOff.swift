import PolyclinicCore

/// The time off of a doctor on one day, and the appointments that are still booked in it.
struct DayOff: Sendable {
  /// The doctor's own time off and that of the clinic.
  let specialHours: [SpecialHours]
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
      found[doctor.id] = DayOff(
        (off[.doctor(doctor.id)] ?? []) + ofClinic, at: clinic, on: date, among: bookings,
        at: work.now)
    }
    return found
  }

  private init?(
    _ off: [SpecialHours], at clinic: Clinic, on date: CalendarDate, among bookings: [Booking],
    at now: Instant
  ) {
    if off.isEmpty { return nil }
    var minutes = Spans<Int>()
    for specialHours in off { minutes.insert(specialHours.minutes) }
    let spans = clinic.zone.moments(of: minutes, on: date).ranges
    specialHours = off
    booked = bookings.filter { booking in
      booking.status == .booked && booking.isAhead(at: now)
        && spans.contains { $0.overlaps(booking.span) }
    }
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
    let words: HTML? =
      way == nil && reason == .reception
      ? "<p>\(context.text("day.off.reception"))</p>"
      : way == nil ? "<p>\(context.text("day.off.doctor"))</p>" : nil
    return context.notice(
      .remark, Text("day.off.booked", count: booked.count), as: .warning,
      action: "\(words)\(way)")
  }

  /// Returns the page on which the visitor moves or cancels all of the appointments; nil if they
  /// may not.
  private func page(for reason: AccessReason, _ context: Context) -> Path? {
    if context.visitor?.roles.contains(.administrator) == true, let first = specialHours.first {
      return "/appointments/admin/exceptions/\(first.id)"
    }
    guard reason == .care else { return nil }
    return specialHours.first { $0.owner.doctor != nil }.map { "/appointments/hours/\($0.id)" }
  }
}
