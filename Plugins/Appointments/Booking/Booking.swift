import PolyclinicCore

/// An appointment with one of the portal's doctors.
struct Booking: Sendable {
  let id: ID<Appointment>
  let patient: ID<Person>
  let doctor: ID<Doctor>
  let status: Appointment.Status
  let span: Range<Instant>
  /// The clinic's zone when it was booked.
  let zone: Zone
  /// How many times it has changed (RFC 5545, SEQUENCE).
  let sequence: Int
  private let sealed: Sealed?

  /// What the patient says about it.
  struct Details: Resealable {
    var purpose = ""
    var unknown = UnknownFields()

    static let form = Form(
      Details(), .lines(\.purpose, "purpose", limit: 2_000, autocomplete: "off"))
  }

  private static let slot = Slot("appointments.sealed", Details.form)

  /// What the local time of the clinic is when it starts.
  var local: LocalDateTime { LocalDateTime(span.lowerBound, in: zone) }

  /// What the patient has said about it.
  func details(by keys: Keys) throws -> Details {
    try sealed.map { try Self.slot.open($0, row: id, by: keys) } ?? Details()
  }
}

extension Booking {
  /// In the order in which ``init(_:)`` reads them.
  static let columns: SQL = """
    id_appointment, appointments.person, doctor, status, starts_at, ends_at,
    appointments.time_zone, sequence, sealed
    """
  /// How many columns it reads: others may stand behind them.
  static let columnCount = 9

  /// One that was made a moment ago, of which nothing is said yet.
  init(
    _ id: ID<Appointment>, of patient: ID<Person>, with doctor: ID<Doctor>, at time: BookableTime
  ) {
    self.id = id
    self.patient = patient
    self.doctor = doctor
    status = .booked
    span = time.span
    zone = time.zone
    sequence = 0
    sealed = nil
  }

  init(_ row: Row) throws {
    guard let status = Appointment.Status(rawValue: row.string(3)), row.int(4) <= row.int(5) else {
      throw DecodingFailure()
    }
    id = row.id(0)
    patient = row.id(1)
    doctor = row.id(2)
    self.status = status
    span = row.instant(4)..<row.instant(5)
    zone = Zone(row.string(6)) ?? .utc
    sequence = row.int(7)
    sealed = row.isNull(8) ? nil : row.sealed(8)
  }

  /// A booking by its number; nil for an unknown one and for a personal appointment.
  static func find(_ id: ID<Appointment>, on connection: Connection) throws -> Booking? {
    try connection.row(
      """
      SELECT \(columns) FROM appointments WHERE id_appointment = \(id) AND doctor IS NOT NULL
      """, Booking.init)
  }

  /// A booking of that patient; nil for anybody else's.
  static func find(
    _ id: ID<Appointment>, of patient: ID<Person>, on connection: Connection
  ) throws -> Booking? {
    let booking = try find(id, on: connection)
    return booking?.patient == patient ? booking : nil
  }

  /// A doctor's bookings that still claim time within a span, in order: also those that began before it.
  static func open(
    of doctor: ID<Doctor>, within span: Range<Instant>, on connection: Connection
  ) throws -> [Booking] {
    // A day is longer than any appointment: the index finds those that began before the span.
    try connection.rows(
      """
      SELECT \(columns) FROM appointments
      WHERE doctor = \(doctor) AND starts_at > \(span.lowerBound - .days(1))
        AND starts_at < \(span.upperBound) AND ends_at > \(span.lowerBound)
        AND \(Appointment.Status.open)
      ORDER BY starts_at, id_appointment
      """, Booking.init)
  }

  /// All bookings of a doctor that start within a span, in order, whatever became of them.
  static func all(
    of doctor: ID<Doctor>, startingIn span: Range<Instant>, on connection: Connection
  ) throws -> [Booking] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments
      WHERE doctor = \(doctor) AND starts_at >= \(span.lowerBound)
        AND starts_at < \(span.upperBound)
      ORDER BY starts_at, id_appointment
      """, Booking.init)
  }

  /// Another open booking of the patient at the same time; nil when there is none.
  static func overlapping(
    _ span: Range<Instant>, of patient: ID<Person>, besides id: ID<Appointment>? = nil,
    on connection: Connection
  ) throws -> Booking? {
    try connection.row(
      """
      SELECT \(columns) FROM appointments
      WHERE appointments.person = \(patient) AND starts_at > \(span.lowerBound - .days(1))
        AND starts_at < \(span.upperBound) AND ends_at > \(span.lowerBound)
        AND \(Appointment.Status.open) AND id_appointment <> \(id ?? ID(0))
      ORDER BY starts_at LIMIT 1
      """, Booking.init)
  }

  /// Replaces what the patient says about it.
  static func write(
    _ details: Details, to id: ID<Appointment>, by keys: Keys, on connection: Connection
  ) throws {
    let sealed = try slot.seal(details, row: id, by: keys)
    try connection.run("UPDATE appointments SET sealed = \(sealed) WHERE id_appointment = \(id)")
  }
}
