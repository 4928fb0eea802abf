import PolyclinicCore

extension Demonstration.Town {
  /// Gives the first patient a past visit, an appointment soon, and one that the reception has
  /// moved. Their inbox has a reminder and the change; their access log names the staff who looked.
  func tellStory(
    of doctors: [(ID<Doctor>, Demonstration.Inhabitant)], _ portal: Portal, in work: Work
  ) throws {
    guard let patient = patients.first, let (doctor, inhabitant) = doctors.first,
      let receptionist = people(having: .receptionist).first,
      let placement = try DoctorPlacement.find(doctor, in: work)
    else { return }
    let today = placement.local(portal.now).date
    let days = today.adding(days: -20)...today.adding(days: 20)
    guard let schedule = try DoctorSchedule.find(of: doctor, during: days, in: work) else {
      return
    }
    let length = try placement.slot(portal.settings)
    func time(_ days: some Sequence<Int>, _ number: Int) -> Slot? {
      for day in days {
        let times = schedule.times(of: length, on: today.adding(days: day))
        if times.indices.contains(number) { return times[number] }
      }
      return nil
    }
    let story = PatientStory(
      patient: patient, doctor: doctor, inhabitant: inhabitant, receptionist: receptionist,
      portal: portal,
      work: work)
    if let past = time((-16)...(-9), 4) { try story.visit(past) }
    if let soon = time(1...8, 3) { _ = try story.book(soon, at: portal.now - .days(6)) }
    if let first = time(9...12, 5), let moved = time(13...18, 2) {
      try story.move(first, to: moved)
    }
  }
}

/// The bookings of one patient with one doctor, and their traces.
private struct PatientStory {
  let patient: Demonstration.Inhabitant
  let doctor: ID<Doctor>
  let inhabitant: Demonstration.Inhabitant
  let receptionist: Demonstration.Inhabitant
  let portal: Portal
  let work: Work

  private static let module: ModuleID = "appointments"

  func book(_ time: Slot, at bookedAt: Instant) throws -> Booking {
    let booking = try Booking.claim(
      time, of: doctor, for: patient.keys.person, in: work.at(bookedAt))
    try booking.record(
      by: HistoryEntry.Actor(patient.visitor, as: .patient), sealedBy: patient.keys,
      in: work.at(bookedAt))
    return booking
  }

  /// Stores a visit of which the patient was reminded, and which the doctor has marked as
  /// completed.
  func visit(_ time: Slot) throws {
    let (start, end) = (time.span.lowerBound, time.span.upperBound)
    let booking = try book(time, at: start - .days(5))
    if let reminder = try booking.reminder(1, portal, in: work) {
      try portal.noticeBoard.post(
        reminder, to: patient.keys.person, in: work.at(start - .days(1)))
    }
    try look(by: inhabitant, .care, "log.fulfilled", booking, at: end)
    try booking.setStatus(
      .fulfilled, by: HistoryEntry.Actor(inhabitant.visitor, as: .doctor), sealedBy: patient.keys,
      in: work.at(end))
  }

  /// Stores an appointment that the reception moved yesterday.
  func move(_ first: Slot, to time: Slot) throws {
    let yesterday = portal.now - .hours(20)
    let booking = try book(first, at: portal.now - .days(4))
    try look(by: receptionist, .reception, "log.moved", booking, at: yesterday)
    let moved = try booking.reschedule(
      to: time, by: HistoryEntry.Actor(receptionist.visitor, as: .receptionist),
      sealedBy: patient.keys, in: work.at(yesterday))
    if let notice = try moved.notice("notice.moved", portal, in: work) {
      try portal.noticeBoard.post(notice, to: patient.keys.person, in: work.at(yesterday))
    }
  }

  /// Adds the entries of the access log that a change by staff leaves.
  private func look(
    by staff: Demonstration.Inhabitant, _ reason: AccessReason, _ change: String,
    _ booking: Booking,
    at now: Instant
  ) throws {
    let text = booking.logText(change, portal).spoken(by: Self.module)
    let people = [patient.keys.person]
    let looking = Work(visitor: staff.visitor, at: now, on: work)
    try portal.keyHolder.recordChange(text, of: people, for: reason, in: looking)
    let viewed = Text("log.viewed.appointment").spoken(by: Self.module)
    _ = try portal.keyHolder.keys(of: people, for: reason, reading: viewed, in: looking)
  }
}
