import PolyclinicCore

/// A place where doctors see patients.
struct Clinic: Sendable {
  let id: ID<Clinic>
  var name: LocalizedText
  var about: LocalizedText
  var address: PostalAddress
  var coordinates: Coordinates?
  var phone: String
  /// Whose clocks its working hours are told by.
  var zone: Zone
  var isPediatric: Bool
  var isHospital: Bool
  /// Since when nothing can be booked there; what was booked stays readable.
  var closedAt: Instant?
}

extension Clinic {
  /// In the order in which ``init(_:)`` reads them.
  private static let columns: SQL = """
    id_clinic, name_en, name_ru, name_he, about_en, about_ru, about_he, street, house_number, city,
    country, latitude, longitude, phone, time_zone, pediatric, hospital, closed_at
    """

  /// A zone that this machine's database has lost since is read as UTC: the clinic stays readable.
  private init(_ row: Row) {
    id = row.id(0)
    name = LocalizedText(english: row.string(1), russian: row.string(2), hebrew: row.string(3))
    about = LocalizedText(english: row.string(4), russian: row.string(5), hebrew: row.string(6))
    address = PostalAddress(
      street: row.string(7), houseNumber: row.string(8), city: row.string(9),
      country: row.string(10))
    coordinates =
      row.isNull(11) || row.isNull(12)
      ? nil : Coordinates(latitude: row.real(11), longitude: row.real(12))
    phone = row.string(13)
    zone = Zone(row.string(14)) ?? .utc
    isPediatric = row.bool(15)
    isHospital = row.bool(16)
    closedAt = row.optional(17, Row.instant)
  }

  /// A clinic by its number, closed or not; nil for an unknown one.
  static func find(_ id: ID<Clinic>, on connection: Connection) throws -> Clinic? {
    try connection.row(
      "SELECT \(columns) FROM appointments_clinics WHERE id_clinic = \(id)", Clinic.init)
  }

  /// All clinics that are not closed, in the order in which they were entered.
  static func open(on connection: Connection) throws -> [Clinic] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_clinics WHERE closed_at IS NULL ORDER BY id_clinic
      """, Clinic.init)
  }
}
