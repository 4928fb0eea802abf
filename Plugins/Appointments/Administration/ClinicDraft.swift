import PolyclinicCore
import PolyclinicPlaces

/// A clinic as an administrator enters it, in the form or in a line of an import file.
struct ClinicDraft: Sendable, Equatable {
  var name = LocalizedText()
  var about = LocalizedText()
  var country = ""
  var city = ""
  var street = ""
  var streetNames = LocalizedText()
  var houseNumber = ""
  var latitude: Double?
  var longitude: Double?
  /// True to take the position of the town's centre instead of the coordinates.
  var isAtTownCentre = false
  var phone = ""
  var email = ""
  var website = ""
  var zone = ""
  var isPediatric = false
  var isHospital = false
  var isStepFree = false
}

extension ClinicDraft {
  /// Fills the draft with the values of a stored clinic.
  init(_ clinic: Clinic) {
    name = clinic.name
    about = clinic.about
    country = clinic.address.country
    city = clinic.address.city
    street = clinic.address.street
    streetNames = clinic.streetNames
    houseNumber = clinic.address.houseNumber
    latitude = clinic.coordinates?.latitude
    longitude = clinic.coordinates?.longitude
    phone = clinic.phone
    email = clinic.email
    website = clinic.website
    zone = clinic.zone.identifier
    isPediatric = clinic.isPediatric
    isHospital = clinic.isHospital
    isStepFree = clinic.isStepFree
  }
}

extension ClinicDraft {
  /// The fields of an import file.
  static let form = form(position: [])

  /// The fields of the page, on which the position can be that of the town's centre.
  static let pageForm = form(position: [
    .check(\.isAtTownCentre, "town_position", hint: "field.town_position.hint")
  ])

  // Autocomplete is off, because a browser would fill in the administrator's own address.
  private static func form(position: [Field<ClinicDraft>]) -> Form<ClinicDraft> {
    Form(
      ClinicDraft(),
      .section(
        "admin.clinic.section.name",
        .text(
          \.name.english, "name_en", limit: 200, autocomplete: "off", hint: "field.name_en.hint"
        ).alternative,
        .text(\.name.russian, "name_ru", limit: 200, autocomplete: "off").alternative,
        .text(\.name.hebrew, "name_he", limit: 200, autocomplete: "off").alternative,
        .check(\.isPediatric, "pediatric"),
        .check(\.isHospital, "hospital"),
        .check(\.isStepFree, "step_free", hint: "field.step_free.hint")),
      .section(
        "admin.clinic.section.about",
        .lines(\.about.english, "about_en", limit: 2_000),
        .lines(\.about.russian, "about_ru", limit: 2_000),
        .lines(\.about.hebrew, "about_he", limit: 2_000)),
      contact,
      .group("admin.clinic.section.place", address + [zone] + coordinates + position, [])
    )
    .requiring("name_en") { $0.name == LocalizedText() ? "admin.error.name" : nil }
    .requiring("country") { Countries.all.contains($0.country) ? nil : "error.choice" }
    .requiring { $0.halfPosition }
  }

  private static let contact: Field<ClinicDraft> = .section(
    "admin.clinic.section.contact",
    .telephone(\.phone, "phone", autocomplete: "off"),
    .email(\.email, "email", autocomplete: "off"),
    .text(
      \.website, "website", limit: 200, autocomplete: "off",
      rule: {
        OutsideLink.web($0)?.host.contains(".") == true ? nil : "admin.error.website"
      }))

  private static let address: [Field<ClinicDraft>] = [
    .choice(\.country, "country", required: true, autocomplete: "off") { context in
      Countries.sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
    },
    .text(\.city, "city", required: true, limit: 100, autocomplete: "off"),
    .text(
      \.street, "street", required: true, limit: 200, autocomplete: "off",
      hint: "field.clinic-street.hint"),
    .text(\.streetNames.english, "street_en", limit: 200, autocomplete: "off"),
    .text(\.streetNames.russian, "street_ru", limit: 200, autocomplete: "off"),
    .text(\.streetNames.hebrew, "street_he", limit: 200, autocomplete: "off"),
    .text(
      \.houseNumber, "house_number", required: true, limit: 20, autocomplete: "off",
      rule: { $0.contains { $0.isNumber || $0.isLetter } ? nil : "error.house-number" }),
  ]

  private static let coordinates: [Field<ClinicDraft>] = [
    .decimal(\.latitude, "latitude", in: -90...90),
    .decimal(\.longitude, "longitude", in: -180...180),
  ]

  private static let zone: Field<ClinicDraft> = .text(
    \.typedZone, "time_zone", required: true, limit: 64, autocomplete: "off",
    hint: "field.time_zone.hint",
    rule: { Zone(nameOrCity: $0) == nil ? "admin.error.time-zone" : nil }
  ).helped(by: .list { _ in Zone.known })

  /// The time zone as people type it: by its IANA name, or by the city in that name.
  private var typedZone: String {
    get { zone }
    set { zone = Zone(nameOrCity: newValue)?.identifier ?? newValue }
  }

  /// The error for one coordinate without the other.
  private var halfPosition: Fields.Problem? {
    if isAtTownCentre || (latitude == nil) == (longitude == nil) { return nil }
    return Fields.Problem(latitude == nil ? "latitude" : "longitude", "admin.error.coordinates")
  }

  /// Returns the draft with its final position. Throws ``Refusal/invalid(_:_:)`` if it is to be
  /// that of the town's centre and the town is unknown.
  func placed(by gazetteer: Gazetteer) throws -> ClinicDraft {
    guard isAtTownCentre else { return self }
    guard let town = gazetteer.place(city, in: country) else {
      throw Refusal.invalid("city", "admin.error.unknown-town")
    }
    var draft = self
    (draft.latitude, draft.longitude) = (town.coordinates.latitude, town.coordinates.longitude)
    return draft
  }
}

extension ClinicDraft {
  /// Stores a new clinic. `key` identifies it in import files.
  func insert(key: String? = nil, in work: Work) throws -> ID<Clinic> {
    try work.insert(Clinic.table.insertion(of: clinic(key: key)))
  }

  /// Updates a stored clinic. Throws ``Refusal/notFound`` if it does not exist.
  func update(_ id: ID<Clinic>, in work: Work) throws {
    // A new time zone shifts the working hours, so the calls that are due are stored first.
    try WaitingList.settle(Doctor.ids(at: id, in: work), in: work)
    let changed = try work.runCounting(
      """
      UPDATE appointments_clinics SET \(Clinic.table.assignments(of: clinic())) WHERE id_clinic = \(id)
      """)
    guard changed == 1 else { throw Refusal.notFound }
  }

  private func clinic(key: String? = nil) -> Clinic {
    var clinic = Clinic()
    clinic.importKey = key
    clinic.name = name
    clinic.about = about
    clinic.address = PostalAddress(
      street: street, houseNumber: houseNumber, city: city, country: country)
    clinic.streetNames = streetNames
    (clinic.latitude, clinic.longitude) = (latitude, longitude)
    (clinic.phone, clinic.email, clinic.website) = (phone, email, website)
    clinic.zoneName = zone
    (clinic.isPediatric, clinic.isHospital) = (isPediatric, isHospital)
    clinic.isStepFree = isStepFree
    return clinic
  }
}
