import PolyclinicCore
import PolyclinicPlaces

/// A place where doctors see patients.
struct Clinic: Sendable {
  let id: ID<Clinic>
  var name: LocalizedText
  var about: LocalizedText
  var address: PostalAddress
  var coordinates: Coordinates?
  var phone: String
  var email: String
  /// The address of its website, which ``OutsideLink/web(_:)`` accepts; empty for none.
  var website: String
  /// The time zone of its working hours.
  var zone: Zone
  var isPediatric: Bool
  var isHospital: Bool
  /// The moment from which nothing can be booked; existing bookings stay readable. Nil while the
  /// clinic is open.
  var closedAt: Instant?
}

extension Clinic {
  /// The columns, in the order in which ``init(_:)`` reads them.
  static let columns: SQL = """
    id_clinic, name_en, name_ru, name_he, about_en, about_ru, about_he, street, house_number, city,
    country, latitude, longitude, phone, time_zone, pediatric, hospital,
    appointments_clinics.closed_at, email, website
    """

  /// Reads a row. Uses UTC if this machine no longer knows the time zone, so that the clinic stays
  /// readable.
  init(_ row: Row) {
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
    email = row.string(18)
    website = row.string(19)
  }

  /// Returns the clinic with this ID, open or closed; nil if it does not exist.
  static func find(_ id: ID<Clinic>, in work: Work) throws -> Clinic? {
    try work.row(
      "SELECT \(columns) FROM appointments_clinics WHERE id_clinic = \(id)", Clinic.init)
  }

  /// Returns all open clinics, in the order of entry.
  static func open(in work: Work) throws -> [Clinic] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_clinics WHERE closed_at IS NULL ORDER BY id_clinic
      """, Clinic.init)
  }

  /// Returns all clinics in the order of entry, the closed ones last.
  static func all(in work: Work) throws -> [Clinic] {
    try work.rows(
      """
      SELECT \(columns) FROM appointments_clinics ORDER BY closed_at IS NOT NULL, id_clinic
      """, Clinic.init)
  }
}

extension Clinic {
  /// Reopens a closed clinic.
  static func reopen(_ id: ID<Clinic>, in work: Work) throws {
    try work.run(
      "UPDATE appointments_clinics SET closed_at = NULL WHERE id_clinic = \(id)")
  }

  /// Deletes a clinic. Throws ``Refusal/conflict(_:)`` if it is in use.
  static func delete(_ id: ID<Clinic>, in work: Work) throws {
    guard try !isInUse(id, in: work) else {
      throw Refusal.conflict("admin.clinic.in-use")
    }
    try work.run("DELETE FROM appointments_clinics WHERE id_clinic = \(id)")
  }

  /// True if the clinic has a department or a receptionist, or if a patient has chosen it.
  static func isInUse(_ id: ID<Clinic>, in work: Work) throws -> Bool {
    let uses = try work.integer(
      """
      SELECT EXISTS (SELECT 1 FROM appointments_departments WHERE clinic = \(id))
        + EXISTS (SELECT 1 FROM appointments_receptionists WHERE clinic = \(id))
        + EXISTS (SELECT 1 FROM appointments_chosen_clinics WHERE clinic = \(id))
      """)
    return uses != 0
  }
}
