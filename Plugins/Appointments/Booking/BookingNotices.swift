import PolyclinicCore

extension NoticeKind {
  /// That staff has booked, moved or cancelled something.
  static let appointmentChanged = NoticeKind("appointment-changed", "kind.changed")
  /// That somebody who waits for something earlier can have it.
  static let earlierTime = NoticeKind("earlier-time", "kind.earlier")
}

extension Booking {
  /// Tells the patient what staff has done with it: once for what it has become by that, which is why
  /// it is asked of the changed booking and not of the one before. An e-mail brings it to the patient's
  /// calendar.
  func tellPatient(
    _ text: String, from context: Context, on connection: Connection
  ) throws {
    let portal = context.portal
    guard let practice = try Practice.find(doctor, on: connection) else { return }
    let time = ["time": Text.Value.moment(span.lowerBound, in: zone, portal)]
    let doctor = try practice.doctor.name.opened(by: portal.keys)
    let notice = Notice(
      .appointmentChanged, Text(text, ["doctor": doctor], values: time),
      leadingTo: "\(id)", once: "\(id)-\(sequence)",
      mail: Notice.Mail(
        subject: "notice.subject", body: Text("\(text).body", values: time),
        attachment: try calendarFile(in: practice, portal, on: connection)))
    try portal.notify(patient, notice, on: connection)
  }

  /// For the patient's own calendar, without the doctor's field: an e-mail says nothing of illness.
  func calendarFile(
    in practice: Practice, _ portal: Portal, on connection: Connection
  ) throws -> Notice.Attachment {
    let language = try portal.people.language(of: patient, on: connection)
    let events = AppointmentEvents(
      portal: portal, language: language ?? portal.clinic.defaultLanguage, detail: .brief)
    let file = CalendarFile([try events.event(of: self, in: practice)])
    return Notice.Attachment(
      "appointment.ics", CalendarFile.mediaType, file.bytes(at: portal.now))
  }
}

extension Text.Value {
  /// A moment by a clinic's clocks, which are named where they show another time than the portal's.
  static func moment(_ instant: Instant, in zone: Zone, _ portal: Portal) -> Text.Value {
    let value = Text.Value.dateTime(instant, zone)
    let own = portal.clinic.zone
    if BookingWords.areAlike(zone, own, at: instant) { return value }
    let spelled = Language.allCases.map { language in
      let written = value.string(in: language)
      return (language, BookingWords.named(written, by: zone, at: instant, besides: own))
    }
    return .name(Dictionary(uniqueKeysWithValues: spelled))
  }
}

extension Wish {
  /// Tells those who wait, one after the other as they joined, that a booking's time is free again: once of
  /// each time, however often it is booked and cancelled; nobody when it is over, when the doctor does not
  /// work then any more, where nothing can be booked, or where the same patient has given back too many.
  static func tell(
    ofReleaseOf booking: Booking, _ portal: Portal, on connection: Connection
  ) throws {
    let start = booking.span.lowerBound
    let day = booking.local.date
    guard start > portal.now,
      let practice = try Practice.find(booking.doctor, on: connection), practice.isOpen,
      try Plan.find(of: practice, during: day...day, on: connection).covers(booking.span),
      try changes(by: booking.patient, since: portal.now - .days(1), on: connection)
        <= mostChanges
    else { return }
    let waiting = try waiting(forReleaseOf: booking, at: portal.now, on: connection)
    let doctor = try practice.doctor.name.opened(by: portal.keys)
    for person in waiting {
      let notice = Notice(
        .earlierTime,
        Text(
          "wish.notice", ["doctor": doctor],
          values: ["time": .moment(start, in: booking.zone, portal)]),
        leadingTo: Path("new").query([
          "doctor": booking.doctor.description, "date": booking.local.date.description,
        ]),
        once: "\(booking.doctor)-\(start.seconds)", expires: start)
      try portal.notify(person, notice, on: connection)
    }
  }
}
