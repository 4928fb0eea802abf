import PolyclinicCore

/// An appointment with one of the portal's doctors.
struct Booking: Sendable {
  let id: ID<Appointment>
  let patient: ID<Person>
  let doctor: ID<Doctor>
  let status: Appointment.Status
  let span: Range<Instant>
  /// The clinic's time zone at the time of booking.
  let zone: Zone
  /// The number of changes so far (RFC 5545, SEQUENCE).
  let sequence: Int
  /// The time at which the doctor called the patient who had arrived; nil before.
  let calledAt: Instant?
  /// The time at which the called patient said that they cannot come; nil if they have not.
  let declinedAt: Instant?
  private let sealed: Sealed?

  /// The encrypted part: the purpose in the patient's words, and the child for whom the patient has
  /// booked.
  struct Details: Resealable {
    var purpose = ""
    var child = Child()
    var unknown = Sealed.UnknownFields()

    static let form = Form(
      Details(), .lines(\.purpose, "purpose", limit: 2_000, autocomplete: "off"),
      .text(\.child.name, "child_name", limit: 100), .date(\.child.birthDate, "child_birth_date"))
  }

  /// A child without an account of its own, whom the doctor sees in place of the patient.
  struct Child: Sendable, Hashable {
    /// The first name; empty if the patient comes.
    var name = ""
    var birthDate: CalendarDate?

    /// Returns the name with the birth date and the age; nil if the patient comes.
    func shown(_ context: Context) -> HTML? {
      if name.isEmpty { return nil }
      let birth = birthDate.map { date in
        let age = context.text("patient.age", count: date.age(on: context.today))
        return ", \(context.formats.date(date)) (\(age))"
      }
      return "<bdi>\(name)</bdi>\(birth ?? "")"
    }
  }

  private static let sealedColumn = SealedColumn("appointments.sealed", Details.form)

  /// The booking's page.
  var path: Path { Appointment.page.path(id) }

  /// The start in the clinic's local time.
  var local: LocalDateTime { LocalDateTime(span.lowerBound, in: zone) }

  /// True if the doctor has called the patient and has not finished.
  var isCalled: Bool { status == .arrived && calledAt != nil }

  /// True if the booking still claims its time, and that time is not over.
  func isAhead(at now: Instant) -> Bool { status.isOpen && span.upperBound > now }

  /// True if the called patient has said that they cannot come.
  var isDeclined: Bool { declinedAt != nil }

  /// Returns the decrypted details, those of a booking without any included.
  func details(by keys: Keys) throws -> Details {
    try sealed.map { try Self.sealedColumn.open($0, row: id, by: keys) } ?? Details()
  }

  /// Returns what the visitor may read of the details. A guardian who only books reads which child
  /// comes, but neither the purpose nor the child's birth date.
  func details(shownIn work: Work) throws -> Details {
    var details = try details(by: work.keys)
    if !work.mayReadRecords { (details.purpose, details.child.birthDate) = ("", nil) }
    return details
  }
}

extension Booking {
  /// The columns, in the order in which ``init(_:)`` reads them.
  static let columns: SQL = """
    id_appointment, appointments.person, doctor, status, starts_at, ends_at,
    appointments.time_zone, sequence, sealed, appointments.called_at, appointments.declined_at
    """
  /// The number of these columns, for queries that select others after them.
  static let columnCount = 11

  /// Creates a booking that was just inserted.
  init(
    _ id: ID<Appointment>, of patient: ID<Person>, with doctor: ID<Doctor>, at time: Slot,
    _ sealed: Sealed?
  ) {
    self.id = id
    self.patient = patient
    self.doctor = doctor
    status = .booked
    span = time.span
    zone = time.zone
    sequence = 0
    calledAt = nil
    declinedAt = nil
    self.sealed = sealed
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
    calledAt = row.optional(9, Row.instant)
    declinedAt = row.optional(10, Row.instant)
  }

  /// Returns the bookings that meet a condition, which an order and a limit may follow.
  static func all(where condition: SQL, in work: Work) throws -> [Booking] {
    try work.rows("SELECT \(columns) FROM appointments WHERE \(condition)", Booking.init)
  }

  /// Calls `body` with each booking of the keys' owner in the order of their numbers, and with the
  /// doctor's placement, which is loaded once.
  static func forEach(
    in work: Work, _ body: (Booking, DoctorPlacement?) throws -> Void
  ) throws {
    var placements: [ID<Doctor>: DoctorPlacement] = [:]
    try work.forEach(
      """
      SELECT \(columns) FROM appointments
      WHERE appointments.person = \(work.keys.person) AND doctor IS NOT NULL ORDER BY id_appointment
      """
    ) { row in
      let booking = try Booking(row)
      let placement = try placements[booking.doctor] ?? .find(booking.doctor, in: work)
      placements[booking.doctor] = placement
      try body(booking, placement)
    }
  }

  /// Returns the booking with this ID; nil if it does not exist or is a personal appointment.
  static func find(_ id: ID<Appointment>, in work: Work) throws -> Booking? {
    try work.row(
      """
      SELECT \(columns) FROM appointments WHERE id_appointment = \(id) AND doctor IS NOT NULL
      """, Booking.init)
  }

  /// Returns the booking with this ID if it belongs to the patient; nil otherwise.
  static func find(
    _ id: ID<Appointment>, of patient: ID<Person>, in work: Work
  ) throws -> Booking? {
    let booking = try find(id, in: work)
    return booking?.patient == patient ? booking : nil
  }

  /// Returns the patient's bookings above `number` in ascending order of their numbers, at most
  /// `limit`.
  static func page(
    of patient: ID<Person>, after number: Int64, limit: Int, in work: Work
  ) throws -> [Booking] {
    try all(
      where: """
        appointments.person = \(patient) AND id_appointment > \(number)
          AND doctor IS NOT NULL AND deleted_at IS NULL
        ORDER BY id_appointment LIMIT \(limit)
        """, in: work)
  }

  /// Returns a doctor's open bookings that overlap a span, in order, including those that began
  /// before it.
  static func open(
    of doctor: ID<Doctor>, within span: Range<Instant>, in work: Work
  ) throws -> [Booking] {
    // Every appointment is shorter than a day, so the index finds those that began before the span.
    try all(
      where: """
        doctor = \(doctor) AND starts_at > \(span.lowerBound - .days(1))
          AND starts_at < \(span.upperBound) AND ends_at > \(span.lowerBound)
          AND \(Appointment.Status.open)
        ORDER BY starts_at, id_appointment
        """, in: work)
  }

  /// Returns the patient's bookings around `now` for which they have arrived and are not finished
  /// with.
  static func arrived(of patient: ID<Person>, in work: Work) throws -> [Booking] {
    try all(
      where: """
        appointments.person = \(patient) AND starts_at > \(work.now - .hours(12))
          AND starts_at < \(work.now + .hours(12)) AND status = 'arrived'
        ORDER BY starts_at, id_appointment
        """, in: work)
  }

  /// Returns all bookings of doctors that start within a span, in order and with any status.
  static func all(
    of doctors: [ID<Doctor>], startingIn span: Range<Instant>, in work: Work
  ) throws -> [Booking] {
    try all(
      where: """
        doctor IN \(list: doctors) AND starts_at >= \(span.lowerBound)
          AND starts_at < \(span.upperBound)
        ORDER BY starts_at, id_appointment
        """, in: work)
  }

  /// Returns an open booking of the patient, other than `id`, that overlaps the span; nil if there
  /// is none.
  static func overlapping(
    _ span: Range<Instant>, of patient: ID<Person>, besides id: ID<Appointment>? = nil,
    in work: Work
  ) throws -> Booking? {
    try work.row(
      """
      SELECT \(columns) FROM appointments
      WHERE appointments.person = \(patient) AND starts_at > \(span.lowerBound - .days(1))
        AND starts_at < \(span.upperBound) AND ends_at > \(span.lowerBound)
        AND \(Appointment.Status.open) AND id_appointment <> \(id ?? ID(0))
      ORDER BY starts_at, id_appointment LIMIT 1
      """, Booking.init)
  }

  /// Returns the details of a new booking, encrypted; nil without a purpose and a child.
  static func seal(
    _ details: Details, of id: ID<Appointment>, by keys: Keys
  ) throws -> Sealed? {
    details.purpose.isEmpty && details.child.name.isEmpty
      ? nil : try sealedColumn.seal(details, row: id, by: keys)
  }

  /// Stores another purpose in place of the present one, which a guardian keeps who may not read it.
  func replace(purpose: String, in work: Work) throws {
    if work.mayReadRecords { try write(purpose: purpose, in: work) }
  }

  /// Stores the purpose, unless it is as before.
  func write(purpose: String, in work: Work) throws {
    var details = try details(by: work.keys)
    if details.purpose == purpose { return }
    details.purpose = purpose
    let sealed = try Self.sealedColumn.seal(details, row: id, by: work.keys)
    try work.run("UPDATE appointments SET sealed = \(sealed) WHERE id_appointment = \(id)")
  }
}

extension Booking {
  /// Returns the patient's open bookings that are not over, with one doctor or with all, earliest
  /// first; at most 20.
  static func ahead(
    of patient: ID<Person>, with doctor: ID<Doctor>? = nil, in work: Work
  ) throws -> [Booking] {
    let only: SQL = doctor.map { "AND doctor = \($0)" } ?? ""
    return try all(
      where: """
        \(isOpen(of: patient, after: work.now)) \(only)
        ORDER BY starts_at, id_appointment LIMIT 20
        """, in: work)
  }

  /// Returns all open bookings of the patient that end after a moment, earliest first.
  static func open(of patient: ID<Person>, after moment: Instant, in work: Work) throws -> [Booking]
  {
    try all(
      where: "\(isOpen(of: patient, after: moment)) ORDER BY starts_at, id_appointment", in: work)
  }

  private static func isOpen(of patient: ID<Person>, after moment: Instant) -> SQL {
    """
    appointments.person = \(patient) AND ends_at > \(moment) AND \(Appointment.Status.open)
    AND doctor IS NOT NULL
    """
  }

  /// Returns a sentence about the appointments to come that the patient's erasure deletes; nil if
  /// there are none.
  static func erasureLoss(of patient: ID<Person>, in work: Work) throws -> Text? {
    let ahead = try open(of: patient, after: work.now, in: work)
    return ahead.first.map { first in
      Text(
        "erasure.ahead", values: ["first": .dateTime(first.span.lowerBound, first.zone)],
        count: ahead.count)
    }
  }
}
