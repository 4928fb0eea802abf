import PolyclinicCore

/// The name under which a doctor sees patients, as it is stored.
///
/// Everybody may read it. It is sealed by the portal's keys so that a copy of the database alone does not
/// tell, by the doctor's account beside it, whom the doctor visits as a patient.
struct DoctorName: Sendable {
  private let doctor: ID<Doctor>
  private let sealed: Sealed?
  /// The name as the release before stored it, or changed it while both were at work; empty once it is sealed.
  private let plain: String

  /// In the order in which ``init(_:)`` reads them.
  static let columns: SQL = "id_doctor, sealed_name, name"
  static let columnCount = 3

  init(_ row: Row) {
    doctor = row.id(0)
    sealed = row.optional(1, Row.sealed)
    plain = row.string(2)
  }

  /// A doctor's name by the doctor's number, disabled or not; nil for an unknown one.
  static func find(
    _ doctor: ID<Doctor>, by keys: Keys, on connection: Connection
  ) throws -> String? {
    try connection.row(
      "SELECT \(columns) FROM appointments_doctors WHERE id_doctor = \(doctor)", DoctorName.init
    )?.opened(by: keys)
  }

  /// The name itself. Takes anybody's keys, since all of them lead to the portal's.
  func opened(by keys: Keys) throws -> String {
    guard plain.isEmpty, let sealed else { return plain }
    let bytes = try keys.portal.open(sealed, as: Self.column, row: doctor.rawValue)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension DoctorName {
  private static let column: StaticString = "appointments_doctors.sealed_name"

  /// Names of the release before stay readable until ``sealRemaining(_:)``: its workers read them.
  static let migration = Migration(
    "0007-doctor-names", "ALTER TABLE appointments_doctors ADD COLUMN sealed_name \(.bytes)")

  /// Seals a doctor's name in the row, which has its id by then.
  static func store(
    _ name: String, of doctor: ID<Doctor>, by keys: Keys, on connection: Connection
  ) throws {
    let sealed = try keys.portal.seal(Array(name.utf8), as: column, row: doctor.rawValue)
    try connection.run(
      """
      UPDATE appointments_doctors SET name = '', sealed_name = \(sealed) WHERE id_doctor = \(doctor)
      """)
  }

  /// Seals the names that the release before has stored, once its workers have ended; wants to run again
  /// a day later, since a portal can go back to that release for a while.
  @Sendable
  static func sealRemaining(_ portal: Portal) throws -> Instant {
    try portal.database.write { connection in
      let due = try migration.transitionEnd(in: "appointments", at: portal.now, on: connection)
      if let due { return due }
      let remaining = try connection.rows(
        "SELECT \(columns) FROM appointments_doctors WHERE name <> ''", DoctorName.init)
      for name in remaining {
        try store(name.plain, of: name.doctor, by: portal.keys, on: connection)
      }
      return portal.now + .days(1)
    }
  }
}

extension [Doctor] {
  /// The doctors by name, as people look for them, the disabled ones last.
  func sorted(by keys: Keys) throws -> [Doctor] {
    try map {
      (
        rank: $0.disabledAt == nil ? 0 : 1, name: SearchText(try $0.name.opened(by: keys)),
        doctor: $0
      )
    }
    .sorted {
      ($0.rank, $0.name, $0.doctor.id) < ($1.rank, $1.name, $1.doctor.id)
    }
    .map(\.doctor)
  }
}
