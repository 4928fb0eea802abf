import PolyclinicCore

/// An appointment elsewhere, which its owner keeps here.
struct PersonalAppointment: Resealable {
  var date: CalendarDate?
  var time: TimeOfDay?
  /// Whose clocks they are.
  var zone = Zone.utc.identifier
  var location = ""
  /// The doctor, one of the portal's or another, as the owner writes the name.
  var doctorName = ""
  var purpose = ""
  /// How many times it has changed (RFC 5545, SEQUENCE).
  var sequence: Int? = 0
  var unknown = UnknownFields()

  /// When it begins: the first time that clocks show it, or as much later as was left out.
  var startsAt: Instant? {
    guard let local, let zone = Zone(zone) else { return nil }
    return local.moments(in: zone).first
  }

  /// What clocks show when it begins.
  var local: LocalDateTime? {
    guard let date, let time else { return nil }
    return LocalDateTime(date, hour: time.hour, minute: time.minute)
  }
}

extension PersonalAppointment {
  static let index = SealedIndex<Entry>("appointments_personal")

  /// How long one is taken to last where it is asked what it may be in the way of: nobody says when it
  /// ends. Half an hour is a short visit; whoever is to stay longer, or has a way to go, is not told, but
  /// nor is anybody warned all day for nothing.
  static let assumedLength = Seconds.minutes(30)

  /// The first that may take a part of a span; nil when none does.
  static func overlapping(
    _ span: Range<Instant>, by keys: Keys, on connection: Connection
  ) throws -> Entry? {
    var found: Entry?
    try index.forEach(by: keys, on: connection) { entry in
      let taken = entry.startsAt..<entry.startsAt + assumedLength
      if found == nil, taken.overlaps(span) { found = entry }
    }
    return found
  }

  static let records = Records(
    "appointments", id: "id_appointment", where: "doctor IS NULL",
    sealed: Slot("appointments.personal", stored), index: index, title: \.location,
    entry: Entry.init(_:id:))

  /// The fields of the page. The zone stays as it was.
  static let form = Form(
    PersonalAppointment(),
    .date(\.date, "date", required: true, autocomplete: "off"),
    .time(\.time, "time", required: true),
    .text(
      \.location, "location", required: true, limit: 300, autocomplete: "off",
      hint: "field.location.hint"),
    .text(
      \.doctorName, "doctor_name", limit: 200, autocomplete: "off", hint: "personal.doctor.hint",
      comfort: .list(doctorNames)
    ).labelled("personal.doctor"),
    .lines(\.purpose, "purpose", limit: 2_000, autocomplete: "off"))

  /// The names of the portal's doctors, to choose from; any other name is taken as well.
  @Sendable
  private static func doctorNames(_ context: Context) throws -> [String] {
    let keys = context.portal.keys
    return try context.database.read { connection in
      try Clinic.open(on: connection)
        .flatMap { try Department.open(of: $0.id, on: connection) }
        .flatMap { try Doctor.enabled(of: $0.id, on: connection) }
        .sorted(by: keys).map { try $0.name.opened(by: keys) }
    }
  }

  private static let stored = Form(
    PersonalAppointment(), .date(\.date, "date"), .time(\.time, "time"), .text(\.zone, "zone"),
    .text(\.location, "location", limit: 300), .text(\.doctorName, "doctor_name", limit: 200),
    .lines(\.purpose, "purpose", limit: 2_000),
    .integer(\.sequence, "sequence", in: 0...Int(Int32.max)))

  /// What lists and the card read.
  struct Entry: SealedEntry {
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
      // What was written before changes were counted.
      sequence = bytes.isAtEnd ? 0 : try bytes.count()
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
