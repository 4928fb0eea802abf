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

  /// The allowed length of an appointment in minutes. It must be a multiple of five, because other
  /// slots would share a five-minute time unit with their neighbours.
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
  static func accounts(_ context: Context) throws -> [Choice] {
    try context.write { context in
      let known = Set(
        try context.rows(
          "SELECT person FROM appointments_doctors WHERE person IS NOT NULL"
        ) { row -> ID<Person> in row.id(0) })
      return try context.portal.people
        .members(having: .doctor, in: context)
        .filter { !known.contains($0.person) }
        .map { Choice($0.person.description, .verbatim($0.name)) }
    }
  }

  /// Returns the open departments of all open clinics, by clinic.
  private static func departments(_ context: Context) throws -> [Choice] {
    let departments = try Department.open(in: context)
    return try Clinic.open(in: context).flatMap { clinic in
      departments.filter { $0.clinic == clinic.id }.map { department in
        let specialization = context.text(department.specialization.title)
        let name = clinic.name.string(in: context.language)
        return Choice(department.id.description, .verbatim("\(name) · \(specialization)"))
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

  /// Stores a new doctor. Throws ``Refusal/invalid(_:_:)`` if the account already belongs to a
  /// doctor.
  func insert(into department: ID<Department>, in work: Work) throws -> ID<Doctor> {
    guard let person = ID<Person>(account) else {
      throw Refusal.invalid("account", "error.choice")
    }
    do {
      let doctor: ID<Doctor> = try work.insert(
        """
        INSERT INTO appointments_doctors (person, department, slot_minutes)
        VALUES (\(person), \(department), \(slotMinutes))
        """)
      try DoctorName.store(name, of: doctor, in: work)
      try profile.store(of: doctor, in: work)
      return doctor
    } catch let error as DatabaseError where error.kind == .unique {
      throw Refusal.invalid("account", "admin.error.doctor-twice")
    }
  }

  /// Updates a stored doctor. Throws ``Refusal/invalid(_:_:)`` for a change of clinic while
  /// appointments are booked, because the patients would come to the old clinic.
  func update(_ doctor: Doctor, in work: Work) throws {
    guard let to = ID<Department>(department),
      let target = try Department.find(to, in: work),
      let current = try Department.find(doctor.department, in: work)
    else { throw Refusal.invalid("doctor_department", "error.choice") }
    if target.clinic != current.clinic {
      let booked = try OpenBookings(with: doctor.id, in: work)
      guard booked.count == 0 else {
        throw Refusal.invalid(
          "doctor_department", Text("admin.error.doctor-booked", count: booked.count))
      }
    }
    try WaitingList.settle([doctor.id], in: work)
    try DoctorName.store(name, of: doctor.id, in: work)
    try profile.store(of: doctor.id, in: work)
    try work.run(
      """
      UPDATE appointments_doctors
      SET department = \(target.id), slot_minutes = \(slotMinutes)
      WHERE id_doctor = \(doctor.id)
      """)
  }
}
