/// Decides which processes are heard no more, and so are to be replaced.
struct Silence {
  /// How long a process may say nothing.
  let limit: Duration
  private var looked: SuspendingClock.Instant
  /// From when on silence counts.
  private var listening: SuspendingClock.Instant

  init(limit: Duration, from now: SuspendingClock.Instant) {
    self.limit = limit
    looked = now
    listening = now
  }

  /// To be asked every few seconds: whoever was not there to listen must not call others silent.
  mutating func silent(
    among children: some Sequence<Child>, at now: SuspendingClock.Instant
  ) -> [Child] {
    if looked.duration(to: now) > limit / 2 { listening = now }
    looked = now
    return children.filter { child in
      // One that was never heard is of a release that does not tell, and one that is not ready, or is
      // leaving, has its deadline.
      guard child.state == .ready, let heard = child.heard else { return false }
      return max(heard, listening).duration(to: now) > limit
    }
  }
}
