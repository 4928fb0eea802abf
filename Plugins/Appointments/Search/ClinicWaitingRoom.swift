import PolyclinicCore

/// The patients who wait for a doctor: those of the waiting lists, and those who have arrived for
/// an appointment.
struct ClinicWaitingRoom: Portal.WaitingRoom {
  /// The module whose words the calls are in.
  let module: ModuleID

  func state(in work: Work) throws -> Portal.WaitingState? {
    let doctors = try Ticket.doctors(of: work.keys.person, in: work)
    var isWaiting = false
    for doctor in doctors {
      let waitingList = try WaitingList.schedule(of: doctor, in: work)
      guard let place = try waitingList.place(of: work.keys.person, at: work.now),
        !place.ticket.isDeclined
      else { continue }
      isWaiting = true
      guard place.isTreated(at: work.now) else { continue }
      let number = ["number": String(place.ticket.number)]
      return try called(
        Text("notice.called", number), to: doctor, on: DoctorPage.path(doctor), in: work)
    }
    for booking in try Booking.arrived(of: work.keys.person, in: work) {
      if booking.isDeclined { continue }
      isWaiting = true
      guard booking.isCalled,
        try Booking.called(of: booking.doctor, in: work)?.id == booking.id
      else { continue }
      return try called(
        "notice.called.booked", to: booking.doctor, on: booking.path, in: work)
    }
    return isWaiting ? .waiting : nil
  }

  private func called(
    _ text: Text, to doctor: ID<Doctor>, on page: Path, in work: Work
  ) throws -> Portal.WaitingState {
    var text = text
    text.values =
      try DoctorName.find(doctor, in: work)
      .map { ["doctor": try $0.value(by: work.keys)] } ?? [:]
    return .called(
      title: Text("line.turn").spoken(by: module), text: text.spoken(by: module), page: page)
  }
}
