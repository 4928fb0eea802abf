import PolyclinicCore
import PolyclinicPlaces

/// A place where doctors see patients.
struct Clinic: Sendable {
  private(set) var id = ID<Clinic>(0)
  /// Identifies an imported clinic in later imports; nil for any other.
  var importKey: String?
  var name = LocalizedText()
  var about = LocalizedText()
  var address = PostalAddress(street: "", houseNumber: "", city: "", country: "")
  /// The name of the street for readers of each language; empty for one that reads it as it is
  /// written on its signs.
  var streetNames = LocalizedText()
  var latitude: Double?
  var longitude: Double?
  var phone = ""
  var email = ""
  /// The address of its website, which ``OutsideLink/web(_:)`` accepts; empty for none.
  var website = ""
  /// The time zone of its working hours.
  private(set) var zone = Zone.utc
  var isPediatric = false
  var isHospital = false
  /// True if a wheelchair reaches every room of patients without a step.
  var isStepFree = false
  /// The moment from which nothing can be booked; existing bookings stay readable. Nil while the
  /// clinic is open.
  private(set) var closedAt: Instant?

  /// The position; nil if it is unknown.
  var coordinates: Coordinates? {
    latitude.flatMap { latitude in
      longitude.flatMap { Coordinates(latitude: latitude, longitude: $0) }
    }
  }

  /// The IANA name of the time zone. One that this machine does not know becomes UTC, so that the
  /// clinic stays readable.
  var zoneName: String {
    get { zone.identifier }
    set { zone = Zone(newValue) ?? .utc }
  }
}

extension Clinic {
  static let table = SQL.Table<Clinic>(
    "appointments_clinics", of: Clinic(),
    .init("id_clinic", \.id).written(.never), .init("import_key", \.importKey).written(.once),
    .init("name_en", \.name.english), .init("name_ru", \.name.russian),
    .init("name_he", \.name.hebrew), .init("about_en", \.about.english),
    .init("about_ru", \.about.russian), .init("about_he", \.about.hebrew),
    .init("street", \.address.street), .init("house_number", \.address.houseNumber),
    .init("street_en", \.streetNames.english), .init("street_ru", \.streetNames.russian),
    .init("street_he", \.streetNames.hebrew),
    .init("city", \.address.city), .init("country", \.address.country),
    .init("latitude", \.latitude), .init("longitude", \.longitude), .init("phone", \.phone),
    .init("email", \.email), .init("website", \.website), .init("time_zone", \.zoneName),
    .init("pediatric", \.isPediatric), .init("hospital", \.isHospital),
    .init("step_free", \.isStepFree),
    .init("closed_at", \.closedAt).written(.never))

  /// Returns the clinic with this ID, open or closed; nil if it does not exist.
  static func find(_ id: ID<Clinic>, in work: Work) throws -> Clinic? {
    try work.row(
      "SELECT \(table.columns) FROM \(table.name) WHERE id_clinic = \(id)", table.record)
  }

  /// Returns all open clinics, in the order of entry.
  static func open(in work: Work) throws -> [Clinic] {
    try work.rows(
      """
      SELECT \(table.columns) FROM \(table.name) WHERE closed_at IS NULL ORDER BY id_clinic
      """, table.record)
  }

  /// Returns all clinics in the order of entry, the closed ones last.
  static func all(in work: Work) throws -> [Clinic] {
    try work.rows(
      """
      SELECT \(table.columns) FROM \(table.name) ORDER BY closed_at IS NOT NULL, id_clinic
      """, table.record)
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
    try work.integer(
      """
      SELECT 1 FROM appointments_departments WHERE clinic = \(id)
      UNION ALL SELECT 1 FROM appointments_receptionists WHERE clinic = \(id)
      UNION ALL SELECT 1 FROM appointments_chosen_clinics WHERE clinic = \(id)
      LIMIT 1
      """) != nil
  }
}
