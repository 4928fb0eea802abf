import PolyclinicCore

extension Feature {
  /// A doctor's hours, claimed time and free time.
  static let hours = Feature(
    schema: ClaimedTime.schema)
}
