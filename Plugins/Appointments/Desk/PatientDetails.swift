import PolyclinicCore

/// The details of a patient that staff needs: birth date and telephone number, and for the doctor
/// sex and earlier visits.
///
/// The keys come from a care relation, so the patient reads in their access log that staff has
/// looked.
struct PatientDetails {
  let birthDate: CalendarDate?
  let sex: String?
  let phone: String
  /// The latest visits to this doctor that took place, latest first.
  let visits: [Booking]

  /// The maximum number of earlier visits.
  private static let shown = 10

  static func find(
    visiting doctor: ID<Doctor>, besides booking: ID<Appointment>? = nil, _ context: Context,
    in work: Work
  ) throws -> PatientDetails {
    let (people, person) = (context.portal.people, try work.keys.person)
    let profile = try people.listed([person: work])[person]
    let visits = try work.rows(
      """
      SELECT \(Booking.columns) FROM appointments
      WHERE appointments.person = \(person) AND doctor = \(doctor) AND status = 'fulfilled'
        AND id_appointment <> \(booking ?? ID(0))
      ORDER BY starts_at DESC, id_appointment DESC LIMIT \(shown)
      """, Booking.init)
    return PatientDetails(
      birthDate: profile?.birthDate, sex: profile?.sex, phone: try people.phone(in: work) ?? "",
      visits: visits)
  }

  /// Returns the details for the doctor or the reception, each with its label.
  func facts(for reason: AccessReason, _ context: Context) -> [(label: Text, value: HTML?)] {
    let birth: HTML? = birthDate.map { date in
      let age = context.text("patient.age", count: date.age(on: context.today))
      return "\(context.formats.date(date)) (\(age))"
    }
    let person: [(label: Text, value: HTML?)] = [
      ("reception.birth-date", birth), ("reception.phone", AppointmentFacts.phone(phone)),
    ]
    guard reason == .care else { return person }
    let none: HTML = "\(context.text("patient.visits.none"))"
    return person + [
      ("patient.sex", sex.map { "\(context.text(Text("patient.sex.\($0)")))" }),
      ("patient.visits", visits.isEmpty ? none : "\(each: visits, { day(of: $0, context) })"),
    ]
  }

  /// Returns the day of an earlier visit on a line of its own, linked to the visit's page while the
  /// doctor may still open it.
  private func day(of visit: Booking, _ context: Context) -> HTML {
    let line: HTML = visit.id == visits.first?.id ? "" : "\n"
    let day = context.formats.date(visit.local.date)
    guard visit.isVisible(for: .care, at: context.now) else { return "\(line)\(day)" }
    return "\(line)<a href=\"\(StaffAppointmentPage.path(visit.id))\">\(day)</a>"
  }
}

/// A patient in a list for staff: the name, the age, which tells namesakes apart, and for the
/// patient's doctor also the sex and the telephone number.
extension Portal.ListedPerson {
  /// Returns the people with a profile. Needs a write transaction, because it adds an entry to each
  /// person's access log.
  static func patients(
    _ people: [ID<Person>], for reason: AccessReason, _ context: Context
  ) throws -> [ID<Person>: Portal.ListedPerson] {
    try patients(
      context.of(Array(Set(people)), for: reason, reading: "log.viewed.list"), for: reason, context)
  }

  /// Returns the people whose data is open already, with a profile.
  static func patients(
    _ works: [ID<Person>: Work], for reason: AccessReason, _ context: Context
  ) throws -> [ID<Person>: Portal.ListedPerson] {
    let listed = try context.portal.people.listed(works)
    if reason == .care { return listed }
    return listed.mapValues { Self(name: $0.name, birthDate: $0.birthDate, sex: nil, phone: "") }
  }

  /// Returns the age, and the sex if it was read; nil if neither is known.
  func ageAndSex(_ context: Context) -> String? {
    let age = birthDate.map { context.text("patient.age", count: $0.age(on: context.today)) }
    let sex = sex.map { context.text(Text("patient.sex.\($0)")) }
    let parts = [age, sex].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
