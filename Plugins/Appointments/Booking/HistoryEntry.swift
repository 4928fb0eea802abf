import PolyclinicCore

/// One entry of a booking's history: the change, its actor and its time.
struct HistoryEntry: Sendable {
  let sequence: Int
  let status: Appointment.Status
  /// The start of the appointment after the change.
  let startsAt: Instant
  let at: Instant
  let role: Actor.Role
  let note: Note

  /// The encrypted part, which only the patient's keys open: the actor's name and the reason.
  struct Note: Resealable {
    var name = ""
    var reason = ""
    var unknown = Sealed.UnknownFields()

    static let form = Form(
      Note(), .text(\.name, "name", limit: 500), .lines(\.reason, "reason", limit: 1_000))
  }

  /// The person who changes an appointment.
  struct Actor: Sendable {
    let person: ID<Person>
    let role: Role
    let name: String

    /// The role by which the actor may change it.
    enum Role: String, Sendable { case patient, guardian, doctor, receptionist, administrator }

    /// Creates an actor from a signed-in visitor, acting in one of their roles.
    init(_ visitor: Visitor, as role: Role) {
      person = visitor.person
      self.role = role
      name = visitor.name
    }

    /// Returns the visitor, who changes their own appointment or that of a person in care.
    static func own(_ context: Context) throws -> Actor {
      let visitor = try context.signedIn()
      let isOwn = try visitor.person == context.keys.person
      return Actor(visitor, as: isOwn ? .patient : .guardian)
    }
  }

  fileprivate static let sealedColumn = SealedColumn("appointments_history.sealed", Note.form)
}

extension HistoryEntry {
  /// Returns the history of an appointment, oldest first.
  static func all(of appointment: ID<Appointment>, in work: Work) throws -> [HistoryEntry] {
    try work.rows(
      """
      SELECT sequence, status, starts_at, at, actor_role, sealed FROM appointments_history
      WHERE appointment = \(appointment) ORDER BY sequence
      """
    ) { row in
      let sequence = row.int(0)
      guard let status = Appointment.Status(rawValue: row.string(1)),
        let role = Actor.Role(rawValue: row.string(4))
      else { throw DecodingFailure() }
      let note =
        row.isNull(5)
        ? Note()
        : try sealedColumn.open(row.sealed(5), row: place(sequence, of: appointment), by: work.keys)
      return HistoryEntry(
        sequence: sequence, status: status, startsAt: row.instant(2), at: row.instant(3),
        role: role, note: note)
    }
  }

  /// Returns the status to which the latest change of a booking is taken back.
  ///
  /// - The call of a patient who has arrived is no entry, so that the patient has arrived again.
  /// - A visit or a no-show leads back to the last status with which the booking was open.
  static func statusBefore(_ booking: Booking, in work: Work) throws -> Appointment.Status {
    if booking.isCalled { return .arrived }
    if booking.status.isOpen { return .booked }
    let status = try work.row(
      """
      SELECT status FROM appointments_history
      WHERE appointment = \(booking.id) AND \(Appointment.Status.open)
      ORDER BY sequence DESC LIMIT 1
      """
    ) { $0.string(0) }
    return status.flatMap(Appointment.Status.init) ?? .booked
  }

  /// Returns the row ID to which a note's encryption is bound. It combines the appointment's ID
  /// with the entry's sequence number, of which there are fewer than 2^20.
  fileprivate static func place(
    _ sequence: Int, of appointment: ID<Appointment>
  ) -> ID<HistoryEntry> {
    ID(appointment.rawValue << 20 | Int64(sequence))
  }
}

extension Booking {
  /// Adds the booking's present state to its history. Leaves out the name of a patient who acts for
  /// themselves.
  func record(
    by actor: HistoryEntry.Actor, reason: String = "", sealedBy keys: Keys, in work: Work
  ) throws {
    let name = actor.person == keys.person ? "" : actor.name
    let sealed =
      name.isEmpty && reason.isEmpty
      ? nil
      : try HistoryEntry.sealedColumn.seal(
        HistoryEntry.Note(name: name, reason: reason),
        row: HistoryEntry.place(sequence, of: id), by: keys)
    try work.run(
      """
      INSERT INTO appointments_history
        (appointment, sequence, status, starts_at, at, actor, actor_role, sealed)
      VALUES (\(id), \(sequence), \(status.rawValue), \(span.lowerBound), \(work.now),
        \(actor.person), \(actor.role.rawValue), \(sealed))
      """)
  }
}

/// The history of an appointment as HTML, with the details that its reader may see.
struct AppointmentHistory {
  let entries: [HistoryEntry]
  let zone: Zone
  let reader: Reader
  let context: Context

  /// The reader of the history.
  enum Reader {
    case patient
    /// A member of staff or a guardian, who sees the patient's name.
    case other(patient: String)
  }

  var content: HTML {
    """
    <h2>\(context.text("appointment.history"))</h2>\
    \(orderedRows: zip(entries, [nil] + entries).map { .row(content: line($0, after: $1)) })
    """
  }

  private func line(_ entry: HistoryEntry, after previous: HistoryEntry?) -> HTML {
    let reason = entry.note.reason
    let shown: HTML? =
      reason.isEmpty || !context.mayReadRecords
      ? nil : "<span class=\"secondary-text\"><bdi>\(reason)</bdi></span>"
    return """
      <strong>\(change(entry, after: previous))</strong><span class="secondary-text">\
      \(BookingText.dateTime(entry.at, in: zone, context)) · \(actor(entry))</span>\(shown)
      """
  }

  private func change(_ entry: HistoryEntry, after previous: HistoryEntry?) -> String {
    // An arrival follows an arrival or a visit only if a call or that visit was taken back.
    if entry.status == .arrived, [.arrived, .fulfilled].contains(previous?.status) {
      return context.text("history.taken-back")
    }
    guard entry.status == .booked else { return context.text(entry.status.title) }
    if let previous, previous.status != .booked, previous.startsAt == entry.startsAt {
      return context.text("history.taken-back")
    }
    let start = BookingText.dateTime(entry.startsAt, in: zone, context)
    return context.text(
      entry.sequence > 0 ? "history.moved" : "history.booked", ["time": start])
  }

  private func actor(_ entry: HistoryEntry) -> HTML {
    let name = entry.note.name
    let role = context.text(Text("actor.\(entry.role.rawValue)"))
    switch reader {
    case .patient where name.isEmpty: return "\(context.text("history.you"))"
    case .other(let patient) where name.isEmpty: return "<bdi>\(patient)</bdi>, \(role)"
    case .patient, .other: return "<bdi>\(name)</bdi>, \(role)"
    }
  }
}
