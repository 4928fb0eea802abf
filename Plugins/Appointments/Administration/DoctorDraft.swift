import PolyclinicCore

/// A doctor as an administrator enters one.
struct DoctorDraft: Sendable {
  /// The ID of the account; empty while none is chosen.
  var account = ""
  var name = ""
  /// The ID of the department.
  var department = ""
  var slotMinutes: Int?
  var profile = DoctorProfile()

  /// The allowed length of an appointment in minutes. It must be a multiple of five, because other slots would
  /// share a five-minute time unit with their neighbours.
  static let slotMinutes = 5...240

  private static let name = Field.text(
    \DoctorDraft.name, "doctor_name", required: true, limit: 200, autocomplete: "off",
    hint: "field.doctor_name.hint")
  private static let slot = Field.integer(
    \DoctorDraft.slotMinutes, "slot_minutes", in: slotMinutes, hint: "field.slot_minutes.hint",
    rule: { $0.isMultiple(of: 5) ? nil : "admin.error.five-minutes" })

  /// The form for a new doctor. Only this form has the account, because it cannot be changed later.
  static let newForm = Form(
    DoctorDraft(),
    .choice(
      \.account, "account", required: true, hint: "field.account.hint", options: accounts),
    .text(
      \.name, "doctor_name", limit: 200, autocomplete: "off",
      hint: "field.doctor_name.new.hint"), slot, .part(\.profile, DoctorProfile.form))

  /// The form for an existing doctor.
  static let form = Form(
    DoctorDraft(), name,
    .choice(\.department, "doctor_department", required: true, options: departments), slot,
    .part(\.profile, DoctorProfile.form))

  /// Returns the accounts with the doctor role that are not a doctor of any clinic yet.
  @Sendable
  static func accounts(_ context: Context) throws -> [Choice] {
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

  /// Returns the open departments of all open clinics, by clinic.
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
  /// Fills the draft with the values of a stored doctor. Needs the portal's keys.
  init(_ doctor: Doctor, by keys: Keys) throws {
    account = doctor.person?.description ?? ""
    name = try doctor.name.opened(by: keys)
    department = doctor.department.description
    slotMinutes = doctor.slotMinutes
    profile = try doctor.name.profile(by: keys)
  }

  /// Stores a new doctor. Throws ``Refusal/invalid(_:_:)`` if the account already belongs to a doctor.
  func insert(
    into department: ID<Department>, by keys: Keys, on connection: Connection
  ) throws -> ID<Doctor> {
    guard let person = ID<Person>(account) else {
      throw Refusal.invalid("account", "error.choice")
    }
    do {
      let doctor: ID<Doctor> = try connection.insert(
        """
        INSERT INTO appointments_doctors (person, department, slot_minutes)
        VALUES (\(person), \(department), \(slotMinutes))
        """)
      try DoctorName.store(name, of: doctor, by: keys, on: connection)
      try profile.store(of: doctor, by: keys, on: connection)
      return doctor
    } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("account", "admin.error.doctor-twice")
    }
  }

  /// Updates a stored doctor. Throws ``Refusal/invalid(_:_:)`` for a change of clinic while appointments are
  /// booked, because the patients would come to the old clinic.
  func update(
    _ doctor: Doctor, by keys: Keys, at now: Instant, on connection: Connection
  ) throws {
    guard let to = ID<Department>(department),
      let target = try Department.find(to, on: connection),
      let current = try Department.find(doctor.department, on: connection)
    else { throw Refusal.invalid("doctor_department", "error.choice") }
    if target.clinic != current.clinic {
      let booked = try OpenBookings.with(doctor.id, after: now, on: connection)
      guard booked.count == 0 else {
        throw Refusal.invalid(
          "doctor_department", Text("admin.error.doctor-booked", count: booked.count))
      }
    }
    try WaitingList.settle([doctor.id], at: now, on: connection)
    try DoctorName.store(name, of: doctor.id, by: keys, on: connection)
    try profile.store(of: doctor.id, by: keys, on: connection)
    try connection.run(
      """
      UPDATE appointments_doctors
      SET department = \(target.id), slot_minutes = \(slotMinutes)
      WHERE id_doctor = \(doctor.id)
      """)
  }
}
