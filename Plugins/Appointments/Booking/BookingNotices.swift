import PolyclinicCore

extension NoticeKind {
  /// That staff has booked, moved or cancelled something.
  static let appointmentChanged = NoticeKind("appointment-changed", "kind.changed")
  /// That somebody who waits for something earlier can have it.
  static let earlierTime = NoticeKind("earlier-time", "kind.earlier")
}

extension Booking {
  /// Tells the patient what staff has done with it: once for what it has become by that, which is why
  /// it is asked of the changed booking and not of the one before.
  func tellPatient(
    _ text: String, from context: Context, on connection: Connection
  ) throws {
    let doctor = try Doctor.find(doctor, on: connection)?.name ?? ""
    let notice = Notice(
      .appointmentChanged,
      Text(text, ["doctor": doctor], values: ["time": .dateTime(span.lowerBound, zone)]),
      leadingTo: "\(id)", once: "\(id)-\(sequence)")
    try context.portal.notify(patient, notice, on: connection)
  }
}

extension Wish {
  /// Tells those who wait, one after the other as they joined, that a booking's time is free again;
  /// nobody when it is over, or when the doctor does not work then any more.
  static func tell(
    ofReleaseOf booking: Booking, _ portal: Portal, on connection: Connection
  ) throws {
    let start = booking.span.lowerBound
    let day = booking.local.date
    let plan = try Plan.find(of: booking.doctor, during: day...day, on: connection)
    guard start > portal.now, plan?.covers(booking.span) == true else { return }
    let doctor = try Doctor.find(booking.doctor, on: connection)?.name ?? ""
    let waiting = try waiting(forReleaseOf: booking, at: portal.now, on: connection)
    for person in waiting {
      let notice = Notice(
        .earlierTime,
        Text("wish.notice", ["doctor": doctor], values: ["time": .dateTime(start, booking.zone)]),
        leadingTo: Path("new").query([
          "doctor": booking.doctor.description, "date": booking.local.date.description,
        ]),
        once: "\(booking.id)-\(booking.sequence)", expires: start)
      try portal.notify(person, notice, on: connection)
    }
  }
}
