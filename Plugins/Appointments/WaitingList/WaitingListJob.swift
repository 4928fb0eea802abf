import PolyclinicCore

/// The job that stores due calls and notifies patients, also while no page is asked for.
enum WaitingListJob {
  /// The longest pause while a session is open, because each event there changes the time of the
  /// next call.
  private static let pauseWhileOpen = Seconds.seconds(15)
  /// The longest pause while no session is open.
  private static let pauseWhileClosed = Seconds.minutes(1)

  /// Stores due calls and notifies patients. Returns the time of the next run, at the latest the
  /// next call.
  @Sendable
  static func run(_ portal: Portal) throws -> Instant {
    let now = portal.now
    let doctors = try portal.read { try WaitingListSession.openDoctors(in: $0) }
    var next = now + (doctors.isEmpty ? Self.pauseWhileClosed : Self.pauseWhileOpen)
    for doctor in doctors {
      let waitingList = try portal.read {
        try WaitingList.schedule(of: doctor, in: $0)
      }
      let session = try portal.read { try WaitingListSession.latest(of: doctor, in: $0) }
      let isAhead = session?.isAheadOfClock(at: now) ?? false
      if isAhead || !waitingList.isOpen(at: now) || !waitingList.unstored(at: now).isEmpty {
        try portal.write { try WaitingList.settle(doctor, in: $0) }
      }
      if let call = waitingList.nextCall(after: now) { next = min(next, call) }
    }
    if try portal.read({ try Ticket.hasEnded(in: $0) }) {
      try portal.write { try Ticket.finishEnded(in: $0) }
    }
    if try portal.read(WaitingList.hasPendingNotices) {
      try portal.write { try WaitingList.sendPendingNotices(by: portal, in: $0) }
    }
    return next
  }
}
