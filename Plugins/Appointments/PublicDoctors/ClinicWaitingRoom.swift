import PolyclinicCore

/// The patients who wait for a doctor: those of the waiting lists, and those who have arrived for an appointment.
struct ClinicWaitingRoom: Portal.WaitingRoom {
  /// The module whose words the calls are in.
  let module: ModuleID

  func state(
    of keys: Keys, at now: Instant, on connection: Connection
  ) throws -> Portal.WaitingState? {
    let doctors = try Ticket.doctors(of: keys.person, on: connection)
    var isWaiting = false
    for doctor in doctors {
      let waitingList = try WaitingList.schedule(of: doctor, at: now, on: connection)
      guard let place = waitingList.place(of: keys.person, at: now), !place.ticket.isDeclined
      else { continue }
      isWaiting = true
      guard place.isTreated(at: now) else { continue }
      let number = ["number": String(place.ticket.number)]
      return try called(
        Text("notice.called", number), to: doctor, on: "/appointments/doctors/\(doctor)", by: keys,
        on: connection)
    }
    for booking in try Booking.arrived(of: keys.person, at: now, on: connection) {
      if booking.isDeclined { continue }
      isWaiting = true
      guard booking.isCalled,
        try Booking.called(of: booking.doctor, at: now, on: connection)?.id == booking.id
      else { continue }
      return try called(
        "notice.called.booked", to: booking.doctor, on: "/appointments/\(booking.id)", by: keys,
        on: connection)
    }
    return isWaiting ? .waiting : nil
  }

  private func called(
    _ text: Text, to doctor: ID<Doctor>, on page: Path, by keys: Keys, on connection: Connection
  ) throws -> Portal.WaitingState {
    var text = text
    text.values =
      try DoctorName.find(doctor, on: connection)
      .map { ["doctor": try $0.value(by: keys)] } ?? [:]
    return .called(
      title: Text("line.turn").spoken(by: module), text: text.spoken(by: module), page: page)
  }
}
