import PolyclinicCore

/// The job that stores due calls and notifies patients, also while no page is asked for.
extension WaitingList {
  /// The longest pause while a session is open, because each event there changes the time of the
  /// next call.
  private static let pauseWhileOpen = Seconds.seconds(15)
  /// The longest pause while no session is open.
  private static let pauseWhileClosed = Seconds.minutes(1)

  /// Stores due calls and notifies patients. Returns the time of the next run, at the latest the
  /// next call.
  @Sendable
  static func keepUp(_ portal: Portal) throws -> Instant {
    let now = portal.now
    let lists = try portal.read { work in
      let sessions = try WaitingListSession.withoutClosing(in: work)
      return zip(sessions, try schedules(of: sessions, in: work)).map { ($0, $1) }
    }
    var next = now + (lists.isEmpty ? Self.pauseWhileClosed : Self.pauseWhileOpen)
    for (session, waitingList) in lists {
      if session.isAheadOfClock(at: now) || !waitingList.isOpen(at: now)
        || !waitingList.unstored(at: now).isEmpty
      {
        try portal.write { try settle(session.doctor, in: $0) }
      }
      if let call = waitingList.nextCall(after: now) { next = min(next, call) }
    }
    if try portal.read({ try Ticket.hasEnded(in: $0) }) {
      try portal.write { try Ticket.finishEnded(in: $0) }
    }
    if try portal.read(hasPendingNotices) {
      try portal.write { try sendPendingNotices(by: portal, in: $0) }
    }
    return next
  }
}
