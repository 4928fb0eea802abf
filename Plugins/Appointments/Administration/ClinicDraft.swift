import PolyclinicCore
import PolyclinicPlaces

/// A clinic as an administrator enters it, in the form or in a line of an import file.
struct ClinicDraft: Sendable, Equatable {
  var name = LocalizedText()
  var about = LocalizedText()
  var country = ""
  var city = ""
  var street = ""
  var houseNumber = ""
  var latitude: Double?
  var longitude: Double?
  var phone = ""
  var zone = ""
  var isPediatric = false
  var isHospital = false

  init() {}

  /// Fills the draft with the values of a stored clinic.
  init(_ clinic: Clinic) {
    name = clinic.name
    about = clinic.about
    country = clinic.address.country
    city = clinic.address.city
    street = clinic.address.street
    houseNumber = clinic.address.houseNumber
    latitude = clinic.coordinates?.latitude
    longitude = clinic.coordinates?.longitude
    phone = clinic.phone
    zone = clinic.zone.identifier
    isPediatric = clinic.isPediatric
    isHospital = clinic.isHospital
  }
}

extension ClinicDraft {
  // Autocomplete is off, because a browser would fill in the administrator's own address.
  static let form = Form(
    ClinicDraft(),
    .section(
      "admin.clinic.section.name",
      .text(
        \.name.english, "name_en", limit: 200, autocomplete: "off", hint: "field.name_en.hint"),
      .text(\.name.russian, "name_ru", limit: 200, autocomplete: "off"),
      .text(\.name.hebrew, "name_he", limit: 200, autocomplete: "off"),
      .check(\.isPediatric, "pediatric"),
      .check(\.isHospital, "hospital")),
    .section(
      "admin.clinic.section.about",
      .lines(\.about.english, "about_en", limit: 2_000),
      .lines(\.about.russian, "about_ru", limit: 2_000),
      .lines(\.about.hebrew, "about_he", limit: 2_000)),
    .section(
      "admin.clinic.section.place",
      .choice(\.country, "country", required: true, autocomplete: "off") { context in
        Countries.sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
      },
      .text(\.city, "city", required: true, limit: 100, autocomplete: "off"),
      .text(\.street, "street", required: true, limit: 200, autocomplete: "off"),
      .text(
        \.houseNumber, "house_number", required: true, limit: 20, autocomplete: "off",
        rule: { $0.contains { $0.isNumber || $0.isLetter } ? nil : "error.house-number" }),
      .decimal(\.latitude, "latitude", in: -90...90),
      .decimal(\.longitude, "longitude", in: -180...180),
      .telephone(\.phone, "phone", autocomplete: "off"),
      .text(
        \.zone, "time_zone", required: true, limit: 64, autocomplete: "off",
        hint: "field.time_zone.hint", comfort: .list { _ in Zone.known },
        rule: { Zone($0) == nil ? "admin.error.time-zone" : nil }))
  )
  .requiring("name_en") { draft in
    draft.name == LocalizedText() ? "admin.error.name" : nil
  }
  .requiring("country") { draft in
    Countries.all.contains(draft.country) ? nil : "error.choice"
  }
  .requiring { draft in
    switch (draft.latitude, draft.longitude) {
    case (nil, .some): Fields.Problem("latitude", "admin.error.coordinates")
    case (.some, nil): Fields.Problem("longitude", "admin.error.coordinates")
    default: nil
    }
  }
}

extension ClinicDraft {
  /// Stores a new clinic. `key` identifies it in import files.
  func insert(key: String? = nil, on connection: Connection) throws -> ID<Clinic> {
    try connection.insert(
      """
      INSERT INTO appointments_clinics (import_key, name_en, name_ru, name_he,
        about_en, about_ru, about_he, street, house_number, city, country, latitude, longitude,
        phone, time_zone, pediatric, hospital)
      VALUES (\(key), \(name.english), \(name.russian), \(name.hebrew),
        \(about.english), \(about.russian), \(about.hebrew), \(street), \(houseNumber), \(city),
        \(country), \(latitude), \(longitude), \(phone), \(zone), \(isPediatric),
        \(isHospital))
      """)
  }

  /// Updates a stored clinic. Throws ``Refusal/notFound`` if it does not exist.
  func update(_ id: ID<Clinic>, at now: Instant, on connection: Connection) throws {
    // A new time zone shifts the working hours, so the calls that are due are stored first.
    try WaitingList.settle(Doctor.ids(at: id, on: connection), at: now, on: connection)
    let changed = try connection.run(
      """
      UPDATE appointments_clinics SET
        name_en = \(name.english), name_ru = \(name.russian), name_he = \(name.hebrew),
        about_en = \(about.english), about_ru = \(about.russian), about_he = \(about.hebrew),
        street = \(street), house_number = \(houseNumber), city = \(city), country = \(country),
        latitude = \(latitude), longitude = \(longitude), phone = \(phone),
        time_zone = \(zone), pediatric = \(isPediatric), hospital = \(isHospital)
      WHERE id_clinic = \(id)
      """)
    guard changed == 1 else { throw Refusal.notFound }
  }
}
