/// The heartbeat timeout: finds processes that have stopped sending heartbeats, so that the
/// supervisor replaces them.
package struct HeartbeatTimeout {
  /// The longest time that a process may send no heartbeat.
  let limit: Duration
  private var looked: SuspendingClock.Instant
  /// The latest moment at which the supervisor itself resumed. No timeout begins earlier.
  private var listening: SuspendingClock.Instant

  init(limit: Duration, from now: SuspendingClock.Instant) {
    self.limit = limit
    looked = now
    listening = now
  }

  /// Returns the processes whose heartbeat has timed out. Call it every few seconds: if the
  /// supervisor itself was paused, it restarts the timeouts instead of reporting healthy processes.
  mutating func expired(
    among children: some Sequence<Child>, at now: SuspendingClock.Instant
  ) -> [Child] {
    if looked.duration(to: now) > limit / 2 { listening = now }
    looked = now
    return children.filter { child in
      // A process that is not ready, or is leaving, has a deadline instead.
      guard child.state == .ready, let heard = child.heard else { return false }
      return max(heard, listening).duration(to: now) > limit
    }
  }
}
