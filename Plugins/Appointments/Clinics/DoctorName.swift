import PolyclinicCore

/// The public name of a doctor, as stored.
///
/// The name is sealed with the portal's keys although anyone may read it. The doctor's account is
/// in the same row, so a plain name in a copy of the database would reveal which doctors this
/// person sees as a patient.
struct DoctorName: Sendable {
  private let doctor: ID<Doctor>
  private let sealed: Sealed?
  private let sealedProfile: Sealed?
  /// The number of the photo; nil if there is none.
  private let photoID: ID<DoctorPhoto>?

  /// The columns, in the order in which ``init(_:)`` reads them.
  static let columns: SQL = """
    id_doctor, sealed_name,
      (SELECT sealed_profile FROM appointments_doctor_profiles AS profiles
       WHERE profiles.doctor = id_doctor),
      (SELECT id_photo FROM appointments_doctor_photos AS photos WHERE photos.doctor = id_doctor)
    """
  static let columnCount = 4

  init(_ row: Row) {
    doctor = row.id(0)
    sealed = row.optional(1, Row.sealed)
    sealedProfile = row.optional(2, Row.sealed)
    photoID = row.isNull(3) ? nil : row.id(3)
  }

  /// The address of the doctor's photo; nil if there is none.
  var photo: Path? { photoID.map(DoctorPhoto.address.path) }

  /// Returns the name of the doctor with this ID, enabled or disabled; nil if there is none.
  static func find(_ doctor: ID<Doctor>, in work: Work) throws -> DoctorName? {
    try work.row(
      "SELECT \(columns) FROM appointments_doctors WHERE id_doctor = \(doctor)", DoctorName.init)
  }

  /// Returns the name; empty if none is stored. Accepts any person's keys, because all of them give
  /// access to the portal's keys.
  func opened(by keys: Keys) throws -> String {
    guard let sealed else { return "" }
    let bytes = try keys.portal.open(sealed, as: Self.column, row: doctor.rawValue)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the name as readers of a language write it, or else the public name.
  func opened(by keys: Keys, in language: Language) throws -> String {
    let own = try profile(by: keys).names[language]
    return own.isEmpty ? try opened(by: keys) : own
  }

  /// Returns the name for a sentence in the language of each reader, such as a notice.
  func value(by keys: Keys) throws -> Text.Value {
    let spelled = try Language.allCases.map { ($0, try opened(by: keys, in: $0)) }
    return .name(Dictionary(uniqueKeysWithValues: spelled))
  }

  /// Returns the name in the reader's language.
  func shown(_ context: Context) throws -> String {
    try opened(by: context.portal.keys, in: context.language)
  }

  /// Returns the doctor's public details; empty ones if none are stored.
  func profile(by keys: Keys) throws -> DoctorProfile {
    try sealedProfile.map { try DoctorProfile.opened($0, of: doctor, by: keys) } ?? DoctorProfile()
  }
}

extension DoctorName {
  private static let column: StaticString = "appointments_doctors.sealed_name"

  /// Seals a doctor's name and stores it. The row must exist, because its ID is part of the seal.
  static func store(
    _ name: String, of doctor: ID<Doctor>, in work: Work
  ) throws {
    let sealed = try work.keys.portal.seal(Array(name.utf8), as: column, row: doctor.rawValue)
    try work.run(
      "UPDATE appointments_doctors SET sealed_name = \(sealed) WHERE id_doctor = \(doctor)")
  }
}
