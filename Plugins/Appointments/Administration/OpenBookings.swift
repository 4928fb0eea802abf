import PolyclinicCore

/// The number of open appointments of a clinic, department or doctor, and the start of the last
/// one.
struct OpenBookings: Sendable {
  let count: Int
  /// The start of the last appointment; nil if there is none.
  let until: Instant?

  /// Counts the appointments in all departments of a clinic.
  init(at clinic: ID<Clinic>, in work: Work) throws {
    try self.init(
      of: """
        SELECT id_doctor FROM appointments_doctors
          JOIN appointments_departments ON department = id_department
        WHERE clinic = \(clinic)
        """, in: work)
  }

  /// Counts the appointments with the doctors of a department.
  init(doctorsOf department: ID<Department>, in work: Work) throws {
    try self.init(
      of: "SELECT id_doctor FROM appointments_doctors WHERE department = \(department)", in: work)
  }

  /// Counts the appointments with one doctor.
  init(with doctor: ID<Doctor>, in work: Work) throws { try self.init(of: "\(doctor)", in: work) }

  private init(of doctors: SQL, in work: Work) throws {
    (count, until) =
      try work.row(
        """
        SELECT count(*), max(starts_at) FROM appointments
        WHERE doctor IN (\(doctors)) AND \(Appointment.Status.open) AND ends_at > \(work.now)
          AND deleted_at IS NULL
        """
      ) { ($0.int(0), $0.optional(1, Row.instant)) } ?? (0, nil)
  }

  /// Returns “12 appointments are booked there, the last on 9 May 2026 at 10:30.”, in the clinic's
  /// time zone.
  func sentence(in zone: Zone, _ context: Context) -> HTML {
    guard let until else { return "<p>\(context.text("admin.booked.nothing"))</p>" }
    let formats = Formats(language: context.language, timeZone: zone)
    let text = Text("admin.booked", ["until": formats.dateTime(until)], count: count)
    return "<p>\(context.text(text))</p>"
  }

  /// Returns a question before bookings stop, with the appointments that stay and `more`.
  func closingQuestion(
    _ question: Text, in zone: Zone, _ context: Context, more: HTML? = nil
  ) -> HTML {
    """
    <p>\(context.text(question))</p>\(sentence(in: zone, context))\(more)\
    <p class="hint">\(context.text("admin.close.hint"))</p>
    """
  }

  /// Returns the warning for a delete question: the booked appointments, and a link to the
  /// alternative if `path` is given. Returns nil if nothing is booked.
  func obstacle(in zone: Zone, instead label: Text, at path: Path?, _ context: Context) -> HTML? {
    if count == 0 { return nil }
    let way: HTML? = path.map { "<p><a href=\"\($0)\">\(context.text(label))</a></p>" }
    return "\(sentence(in: zone, context))\(way)"
  }
}

/// The parts that the pages of clinics, departments and doctors share.
extension Context {
  func secondaryButton(_ label: Text, to path: Path) -> HTML {
    button(label, to: path, style: .secondary)
  }

  /// Returns the notice of a closed one, with what is still booked and a button that reopens it.
  func closed(_ said: Text, _ booked: HTML?, reopening path: Path) -> HTML {
    .notice(
      .remark,
      """
      <div><p>\(text(said))</p>\(booked)</div>\
      \(button("admin.reopen", posts: path, style: [.secondary, .small]))
      """, as: .warning)
  }

  /// Returns the buttons that close and delete it; one without a path is left out.
  func endings(close: Path?, delete: Path?) -> HTML {
    let buttons = [(Text("admin.close"), close), ("admin.delete", delete)].map { label, path in
      path.map { button(label, to: $0, style: [.danger, .secondary]) }
    }
    return "\(buttons[0]) \(buttons[1])"
  }
}
