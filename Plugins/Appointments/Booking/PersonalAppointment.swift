import PolyclinicCore

/// An appointment elsewhere that the patient enters here.
struct PersonalAppointment: Resealable {
  var date: CalendarDate?
  var time: TimeOfDay?
  /// The time zone of the date and time.
  var zone = Zone.utc.identifier
  var location = ""
  /// The name of the doctor, of the portal or not, as the owner writes it.
  var doctorName = ""
  var purpose = ""
  /// The number of changes so far (RFC 5545, SEQUENCE).
  var sequence: Int? = 0
  var unknown = Sealed.UnknownFields()

  /// The start. It is the first moment of a time that clocks show twice. A time that clocks skip is
  /// later by the skipped interval.
  var startsAt: Instant? {
    guard let local, let zone = Zone(zone) else { return nil }
    return local.moments(in: zone).first
  }

  /// The start in local time.
  var local: LocalDateTime? {
    guard let date, let time else { return nil }
    return LocalDateTime(date, hour: time.hour, minute: time.minute)
  }
}

extension PersonalAppointment {
  static let index = SealedIndex<Entry>("appointments_personal")

  /// The assumed length when overlaps are checked, because patients enter no end. Half an hour is a
  /// short visit. A longer one, or the way to it, may go unnoticed, but patients are not warned all
  /// day without need.
  static let assumedLength = Seconds.minutes(30)

  /// Returns the first appointment that may overlap a span; nil if there is none, and for a guardian
  /// who may not read it.
  static func overlapping(_ span: Range<Instant>, in work: Work) throws -> Entry? {
    guard work.mayReadRecords else { return nil }
    var found: Entry?
    try index.forEach(in: work) { entry in
      let taken = entry.startsAt..<entry.startsAt + assumedLength
      if found == nil, taken.overlaps(span) { found = entry }
    }
    return found
  }

  static let records = Records(
    "appointments", id: "id_appointment", where: "doctor IS NULL",
    sealed: SealedColumn("appointments.personal", stored), index: index, title: \.location,
    entry: Entry.init(_:id:))

  /// The form of the page. It leaves the zone unchanged.
  static let form = Form(
    PersonalAppointment(),
    .date(\.date, "date", required: true, autocomplete: "off"),
    .time(\.time, "time", required: true),
    .text(
      \.location, "location", required: true, limit: 300, autocomplete: "off",
      hint: "field.location.hint"),
    .text(
      \.doctorName, "doctor_name", limit: 200, autocomplete: "off", hint: "personal.doctor.hint"
    ).helped(by: .list(doctorNames)).labelled("personal.doctor"),
    .lines(\.purpose, "purpose", limit: 2_000, autocomplete: "off"))

  /// Returns the names of the portal's doctors as suggestions. The field accepts any other name
  /// too.
  private static func doctorNames(_ context: Context) throws -> [String] {
    let keys = context.portal.keys
    let clinics = Set(try Clinic.open(in: context).map(\.id))
    let departments = try Department.open(in: context).filter { clinics.contains($0.clinic) }
    return try Doctor.enabled(of: departments.map(\.id), in: context)
      .sorted(by: keys).map { try $0.name.opened(by: keys) }
  }

  private static let stored = Form(
    PersonalAppointment(), .date(\.date, "date"), .time(\.time, "time"), .text(\.zone, "zone"),
    .text(\.location, "location", limit: 300), .text(\.doctorName, "doctor_name", limit: 200),
    .lines(\.purpose, "purpose", limit: 2_000),
    .integer(\.sequence, "sequence", in: 0...Int(Int32.max)))

  /// The fields that lists and the card show. They include the start, which an excerpt of the form
  /// would compute anew for each entry, and which needs the zone.
  struct Entry: CodedEntry {
    let id: ID<PersonalAppointment>
    let startsAt: Instant
    let local: LocalDateTime?
    let location: String
    let sequence: Int

    init(_ appointment: PersonalAppointment, id: ID<PersonalAppointment>) {
      self.id = id
      startsAt = appointment.startsAt ?? Instant(0)
      local = appointment.local
      location = appointment.location
      sequence = appointment.sequence ?? 0
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      startsAt = Instant(try bytes.integer())
      local = LocalDateTime(try bytes.string())
      location = try bytes.string()
      sequence = try bytes.count()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      bytes.write(startsAt.seconds)
      bytes.write(local?.description ?? "")
      bytes.write(location)
      bytes.write(count: sequence)
    }

    static func < (one: Entry, other: Entry) -> Bool { one.startsAt < other.startsAt }
  }
}

/// An appointment elsewhere is a record, unlike a booking: a guardian who only books does not learn
/// of it.
extension PersonalAppointment {
  /// Returns the appointment with the `{id}` of the path, as ``Records/load(_:)`` does. Throws
  /// ``Refusal/notFound`` for a guardian who may not read it.
  static func load(_ context: Context) throws -> PersonalAppointment {
    guard context.mayReadRecords else { throw Refusal.notFound }
    return try records.load(context)
  }

  /// Returns the sentence that says who sees appointments elsewhere, and what to use them for.
  static func about(_ context: Context) throws -> String {
    let seen =
      try context.nameInCare.map { context.text("personal.seen.in-care", ["name": $0]) }
      ?? context.text("personal.seen")
    return "\(seen) \(context.text("personal.about"))"
  }

  /// Throws ``Refusal/forbidden`` for a guardian who may not change the patient's records.
  static func requireRight(in work: Work) throws {
    guard work.mayChangeRecords else { throw Refusal.forbidden }
  }
}

/// Patients can add appointments before or after they took place, and change them until they begin.
extension PersonalAppointment {
  /// Stores a new appointment. It may be over, because it claims no doctor's time and no job reads
  /// it.
  func insert(in context: Context) throws -> ID<PersonalAppointment> {
    try Self.requireRight(in: context)
    var appointment = self
    appointment.zone = context.formats.timeZone.identifier
    try appointment.checkTime(context)
    return try Self.records.insert(appointment, in: context)
  }

  /// Stores the appointment in place of `stored`.
  func replace(
    _ stored: PersonalAppointment, _ id: ID<PersonalAppointment>, in context: Context
  ) throws {
    try Self.requireRight(in: context)
    try checkTime(context)
    var appointment = self
    appointment.sequence = (sequence ?? 0) + 1
    try Self.records.replace(Entry(stored, id: id), with: appointment, in: context)
  }

  /// Throws ``Refusal/conflict(_:)`` if the appointment has begun.
  func requireChangeable(at now: Instant) throws {
    if let startsAt, startsAt <= now { throw Refusal.conflict("personal.over") }
  }

  /// Throws ``Refusal/invalid(_:_:)`` if the time is missing or clocks skip it.
  private func checkTime(_ context: Context) throws {
    guard let local else { throw Refusal.invalid("time", "error.required") }
    if case .none = local.moments(in: Zone(zone) ?? context.formats.timeZone) {
      throw Refusal.invalid("time", "booking.error.no-such-time")
    }
  }
}
