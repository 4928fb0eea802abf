import PolyclinicCore

/// A doctor who can be booked, as the list of a specialization shows them.
struct Specialist: Sendable {
  let doctor: ID<Doctor>
  let name: String
  let clinicID: ID<Clinic>
  let clinic: LocalizedText
  let city: String
  let isAtOwnClinic: Bool

  /// The number of doctors of a specialization.
  struct Count: Sendable {
    let specialization: Specialization
    let doctors: Int
  }

  private static let open: SQL = """
    FROM appointments_doctors AS doctors
    JOIN appointments_departments AS departments ON id_department = department
    JOIN appointments_clinics AS clinics ON id_clinic = departments.clinic
    WHERE doctors.person IS NOT NULL AND disabled_at IS NULL AND departments.closed_at IS NULL AND clinics.closed_at IS NULL
    """

  /// Returns the specializations of a clinic, or of all clinics, with doctors who can be booked.
  static func counts(in clinic: ID<Clinic>?, in work: Work) throws -> [Count] {
    let only: SQL = clinic.map { "AND id_clinic = \($0)" } ?? ""
    return try work.rows(
      """
      SELECT specialization, count(*) \(open) \(only)
      GROUP BY specialization ORDER BY count(*) DESC, specialization
      """
    ) { row in
      Specialization(rawValue: row.string(0)).map {
        Count(specialization: $0, doctors: row.int(1))
      }
    }.compactMap(\.self)
  }

  /// Returns the doctors of a specialization who can be booked, those of the person's own clinic
  /// first. `keys` open the doctors' names.
  static func all(
    _ specialization: Specialization, in clinic: ID<Clinic>?, nearTo person: ID<Person>?,
    in language: Language, in work: Work
  ) throws -> [Specialist] {
    let only: SQL = clinic.map { "AND id_clinic = \($0)" } ?? ""
    let found = try work.rows(
      """
      SELECT \(DoctorName.columns), id_clinic, name_en, name_ru, name_he, city, EXISTS (
        SELECT 1 FROM appointments_chosen_clinics AS chosen
        WHERE chosen.person = \(person ?? ID(0)) AND chosen.clinic = id_clinic) AS own
      \(open) AND specialization = \(specialization.rawValue) \(only)
      """
    ) { row in
      let place = row.from(DoctorName.columnCount)
      return Specialist(
        doctor: row.id(0), name: try DoctorName(row).opened(by: work.keys, in: language),
        clinicID: place.id(0),
        clinic: LocalizedText(
          english: place.string(1), russian: place.string(2), hebrew: place.string(3)),
        city: place.string(4), isAtOwnClinic: place.bool(5))
    }
    let named = found.map { (rank: $0.isAtOwnClinic ? 0 : 1, name: SearchText($0.name), one: $0) }
    return named.sorted {
      ($0.rank, $0.one.clinicID, $0.name, $0.one.doctor)
        < ($1.rank, $1.one.clinicID, $1.name, $1.one.doctor)
    }.map(\.one)
  }
}
