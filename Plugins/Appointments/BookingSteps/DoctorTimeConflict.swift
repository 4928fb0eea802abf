import PolyclinicCore

extension DoctorTime {
  /// Converts ``DoctorTime/Taken`` to a ``Refusal/conflict(_:)`` with a friendly message.
  @discardableResult
  static func orConflict<Value>(_ claim: () throws -> Value) throws -> Value {
    do { return try claim() } catch is DoctorTime.Taken {
      throw Refusal.conflict("booking.taken")
    }
  }
}
