import CPostgreSQL
import PolyclinicCore

extension DatabaseError {
  /// Creates the error for an SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html). Its code
  /// is the SQLSTATE as a number of base 36.
  init(sqlState: String, detail: String) {
    self.init(
      Self.kind(of: sqlState), code: Int(sqlState, radix: 36) ?? 0,
      detail: "SQLSTATE \(sqlState)\(detail)")
  }

  /// Creates the error for a failed result. The server's message is left out, because it quotes
  /// values: `Key (login)=(…) already exists`.
  init(failed result: OpaquePointer, in text: String) {
    let field = { (name: Unicode.Scalar) in
      PQresultErrorField(result, Int32(name.value)).map { String(cString: $0) }
    }
    // PG_DIAG_SQLSTATE, PG_DIAG_CONSTRAINT_NAME and PG_DIAG_TABLE_NAME. Swift does not import
    // macros of characters.
    let names = [field("n"), field("t")].compactMap { $0 }.joined(separator: " of ")
    let place = (names.isEmpty ? "" : " (\(names))") + (text.isEmpty ? "" : ", in \(text)")
    // Without an SQLSTATE, the error is one of libpq: the connection is lost.
    self.init(sqlState: field("C") ?? "08006", detail: place)
  }

  /// The SQLSTATE of an error of this engine.
  var sqlState: String {
    let digits = String(code, radix: 36, uppercase: true)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// True if the transaction failed because of others alone, so that it may succeed if it runs
  /// again: serialization_failure, deadlock_detected, lock_not_available.
  var isConflict: Bool { ["40001", "40P01", "55P03"].contains(sqlState) }

  /// True for feature_not_supported, the error of a statement that was prepared before its
  /// table got other columns ("cached plan must not change result type").
  var isStalePlan: Bool { sqlState == "0A000" }

  /// True for invalid_parameter_value, the error of a transaction's number that the server has not
  /// given ("transaction ID is in the future").
  var isOfFuture: Bool { sqlState == "22023" }

  /// Returns the error for a server that is not there, or is no longer.
  static func lost(_ detail: String) -> DatabaseError {
    DatabaseError(.missing, code: Int("08006", radix: 36) ?? 0, detail: detail)
  }

  /// Returns the error for a caller whose time is over.
  static func late(_ detail: String) -> DatabaseError {
    DatabaseError(.busy, code: Int("57014", radix: 36) ?? 0, detail: detail)
  }

  private static func kind(of sqlState: String) -> Kind {
    switch sqlState {
    case "23505": return .unique
    case "23503": return .foreignKey
    // Numbers out of range, and texts that are no number.
    case "22P02", "22003", "22P03", "22021": return .constraint
    case "40001", "40P01", "55P03", "57014": return .busy
    case "53100": return .full
    // The server has ended a session that did nothing in its transaction.
    case "25P03": return .missing
    case "25006", "42501": return .readOnly
    case "XX001", "XX002": return .corrupt
    default: break
    }
    switch sqlState.prefix(2) {
    case "23": return .constraint
    case "08", "57": return .missing
    // Memory, or the number of sessions.
    case "53": return .busy
    case "58": return .corrupt
    default: return .other
    }
  }
}
