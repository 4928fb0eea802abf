/// Whoever wants to know how long writers wait for one another.
public protocol WriteQueueObserver: Sendable {
  /// A writer has its turn, or has given up waiting for it; called in its thread, so it must be quick.
  func writerWaited(nanoseconds: UInt64)
}
