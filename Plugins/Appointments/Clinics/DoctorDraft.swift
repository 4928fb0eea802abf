import PolyclinicCore

/// A doctor as an administrator describes one.
struct DoctorDraft: Sendable {
  /// The number of the account; empty while none is chosen.
  var account = ""
  var name = ""
  /// The number of the department.
  var department = ""
  var slotMinutes: Int?

  /// How long an appointment can be. A slot of another length than a multiple of five would touch the
  /// grains of its neighbours.
  static let slotMinutes = 5...240

  private static let name = Field.text(
    \DoctorDraft.name, "doctor_name", required: true, limit: 200, autocomplete: "off",
    hint: "field.doctor_name.hint")
  private static let slot = Field.integer(
    \DoctorDraft.slotMinutes, "slot_minutes", in: slotMinutes, hint: "field.slot_minutes.hint",
    rule: { $0.isMultiple(of: 5) ? nil : "admin.error.five-minutes" })

  /// For a new doctor: whose account it is cannot be changed later.
  static let newForm = Form(
    DoctorDraft(),
    .choice(
      \.account, "account", required: true, hint: "field.account.hint", options: accounts),
    name, slot)

  /// For one that is there.
  static let form = Form(
    DoctorDraft(), name,
    .choice(\.department, "doctor_department", required: true, options: departments), slot)

  /// The accounts with the role of a doctor that are no doctor of a clinic yet.
  @Sendable
  private static func accounts(_ context: Context) throws -> [Choice] {
    try context.database.write { connection in
      let known = Set(
        try connection.rows(
          "SELECT person FROM appointments_doctors WHERE person IS NOT NULL"
        ) { row -> ID<Person> in row.id(0) })
      return try context.portal.people
        .members(having: .doctor, asking: context.signedIn(), on: connection)
        .filter { !known.contains($0.person) }
        .map { Choice($0.person.description, .verbatim($0.name)) }
    }
  }

  /// All departments that are open, by clinic.
  @Sendable
  private static func departments(_ context: Context) throws -> [Choice] {
    try context.database.read { connection in
      try Clinic.open(on: connection).flatMap { clinic in
        try Department.open(of: clinic.id, on: connection).map { department in
          let specialization = context.text(department.specialization.title)
          let name = clinic.name.string(in: context.language)
          return Choice(department.id.description, .verbatim("\(name) · \(specialization)"))
        }
      }
    }
  }
}

extension DoctorDraft {
  /// The description of a doctor as it is now; takes the portal's keys.
  init(_ doctor: Doctor, by keys: Keys) throws {
    account = doctor.person?.description ?? ""
    name = try doctor.name.opened(by: keys)
    department = doctor.department.description
    slotMinutes = doctor.slotMinutes
  }

  /// Stores a new doctor; throws ``Refusal/invalid(_:_:)`` if the account is a doctor's.
  func insert(
    into department: ID<Department>, by keys: Keys, on connection: Connection
  ) throws -> ID<Doctor> {
    guard let person = ID<Person>(account) else {
      throw Refusal.invalid("account", "error.choice")
    }
    do {
      let doctor: ID<Doctor> = try connection.insert(
        """
        INSERT INTO appointments_doctors (person, name, department, slot_minutes)
        VALUES (\(person), '', \(department), \(slotMinutes))
        """)
      try DoctorName.store(name, of: doctor, by: keys, on: connection)
      return doctor
    } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("account", "admin.error.doctor-twice")
    }
  }

  /// Stores what has changed of a doctor. One with bookings stays in the clinic patients will come
  /// to.
  func update(
    _ doctor: Doctor, by keys: Keys, at now: Instant, on connection: Connection
  ) throws {
    guard let to = ID<Department>(department),
      let target = try Department.find(to, on: connection),
      let current = try Department.find(doctor.department, on: connection)
    else { throw Refusal.invalid("doctor_department", "error.choice") }
    if target.clinic != current.clinic {
      let booked = try Booked.with(doctor.id, after: now, on: connection)
      guard booked.count == 0 else {
        throw Refusal.invalid(
          "doctor_department", Text("admin.error.doctor-booked", count: booked.count))
      }
    }
    try Doctor.settle([doctor.id], at: now, on: connection)
    try DoctorName.store(name, of: doctor.id, by: keys, on: connection)
    try connection.run(
      """
      UPDATE appointments_doctors
      SET department = \(target.id), slot_minutes = \(slotMinutes)
      WHERE id_doctor = \(doctor.id)
      """)
  }
}
