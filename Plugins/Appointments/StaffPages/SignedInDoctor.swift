import PolyclinicCore

/// The doctor who is signed in, and the page for one whom no clinic has entered.
enum SignedInDoctor {
  /// Returns the doctor who is signed in; nil if no clinic has entered the doctor yet.
  static func find(_ context: Context, on connection: Connection) throws -> Doctor? {
    try Doctor.of(context.signedIn().person, on: connection)
  }

  /// Returns the page for a doctor whom no clinic has entered yet.
  static func notEntered(_ title: Text, _ context: Context) -> Page {
    Page(
      title,
      context.emptyState(.clock, "queue.none", hint: "queue.none.hint"))
  }
}
