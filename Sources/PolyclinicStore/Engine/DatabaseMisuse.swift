import PolyclinicCore

extension DatabaseError {
  /// Returns the error for a caller that broke a rule of ``Database``.
  static func misuse(_ detail: String) -> DatabaseError {
    DatabaseError(.other, code: 0, detail: detail)
  }
}
