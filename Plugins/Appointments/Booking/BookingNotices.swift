import PolyclinicCore
import PolyclinicFormats

extension Notice.Kind {
  /// The notice that staff has booked, rescheduled or cancelled an appointment.
  static let appointmentChanged = Notice.Kind("appointment-changed", "kind.changed")
  /// The notice that an earlier time is free, for patients who wait for one.
  static let earlierTime = Notice.Kind("earlier-time", "kind.earlier")
}

extension Booking {
  /// Notifies the patient of a change by staff, with an e-mail for the patient's calendar. Call it
  /// on the changed booking, because its sequence number is part of the idempotency key: each
  /// change is announced once.
  func notifyPatient(
    _ text: String, from context: Context
  ) throws {
    if let notice = try notice(text, context.portal, in: context) {
      try context.portal.notify(patient, notice, in: context)
    }
  }

  /// Returns the notice of a change; nil if the doctor no longer exists.
  func notice(_ text: String, _ portal: Portal, in work: Work) throws -> Notice? {
    guard let placement = try DoctorPlacement.find(doctor, in: work) else { return nil }
    let time = ["time": Text.Value.moment(span.lowerBound, in: zone, portal)]
    let doctor = ["doctor": try placement.doctor.name.value(by: portal.keys)]
    return Notice(
      .appointmentChanged, Text(text, values: time.merging(doctor) { $1 }),
      leadingTo: "\(id)", once: "\(id)-\(sequence)",
      mail: Notice.Mail(
        subject: "notice.subject", body: Text("\(text).body", values: time),
        attachment: try calendarFile(in: placement, portal, in: work)))
  }

  /// Returns the file for the patient's own calendar. It leaves out the doctor's specialization,
  /// because an e-mail must say nothing of an illness.
  func calendarFile(
    in placement: DoctorPlacement, _ portal: Portal, in work: Work
  ) throws -> Notice.Attachment {
    let language = try portal.people.language(of: patient, in: work)
    let events = CalendarEvents(
      portal: portal, language: language ?? portal.clinic.defaultLanguage, detail: .brief)
    let file = CalendarFile([try events.event(of: self, in: placement)])
    return Notice.Attachment(
      "appointment.ics", CalendarFile.mediaType, file.bytes(at: portal.now))
  }
}

extension Text.Value {
  /// Returns a moment in a clinic's local time. Names the zone if its time differs from the
  /// portal's.
  static func moment(_ instant: Instant, in zone: Zone, _ portal: Portal) -> Text.Value {
    let value = Text.Value.dateTime(instant, zone)
    let own = portal.clinic.zone
    if BookingText.haveSameOffset(zone, own, at: instant) { return value }
    let spelled = Language.allCases.map { language in
      let written = value.string(in: language)
      return (language, BookingText.named(written, by: zone, at: instant, besides: own))
    }
    return .name(Dictionary(uniqueKeysWithValues: spelled))
  }
}
