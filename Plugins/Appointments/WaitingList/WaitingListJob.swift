import PolyclinicCore

extension AppointmentsModule {
  /// The longest pause while a desk is open: what happens at it moves the next call.
  private static let pause = Seconds.seconds(15)
  /// The longest pause while none is.
  private static let rest = Seconds.minutes(1)

  /// Stores the calls that have come to pass and tells people; wants to run when the next is due.
  func keepLinesMoving(_ portal: Portal) throws -> Instant {
    let now = portal.now
    let doctors = try portal.database.read { try Desk.openDoctors(on: $0) }
    var next = now + (doctors.isEmpty ? Self.rest : Self.pause)
    for doctor in doctors {
      let line = try portal.database.read { try WaitingList.line(of: doctor, at: now, on: $0) }
      let desk = try portal.database.read { try Desk.latest(of: doctor, on: $0) }
      let isAhead = desk?.isFromTheFuture(at: now) ?? false
      if isAhead || !line.isOpen(at: now) || !line.unstored(at: now).isEmpty {
        try portal.database.write { try WaitingList.settle(doctor, at: now, on: $0) }
      }
      if let call = line.nextCall(after: now) { next = min(next, call) }
    }
    if try portal.database.read({ try Ticket.hasEnded(at: now, on: $0) }) {
      try portal.database.write { try Ticket.finishEnded(at: now, on: $0) }
    }
    if try portal.database.read(WaitingList.hasNews) {
      try portal.database.write { try WaitingList.tellNews(by: portal, on: $0) }
    }
    return next
  }
}
