import PolyclinicCore

extension ClaimedTime {
  /// Converts ``ClaimedTime/Taken`` to a ``Refusal/conflict(_:)`` with a friendly message, which
  /// says that the typed reason is kept if there is one.
  @discardableResult
  static func orConflict<Value>(
    _ context: Context, _ claim: () throws -> Value
  ) throws -> Value {
    do { return try claim() } catch is ClaimedTime.Taken {
      let isTyped = !context.request.fields["purpose"].isEmpty
      throw Refusal.conflict(isTyped ? "booking.taken.typed" : "booking.taken")
    }
  }
}
