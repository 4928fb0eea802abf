/// Observes how long writers wait for one another.
public protocol WriteQueueObserver: Sendable {
  /// Called when a writer gets its turn or gives up waiting. Must return quickly, because it runs
  /// in the writer's thread.
  func writerWaited(nanoseconds: UInt64)
}
