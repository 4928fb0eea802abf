import PolyclinicCore

/// The clinics of the fictional town, at coordinates in Minsk.
enum TownClinics {
  private struct Sketch {
    let names: LocalizedText
    let street: String
    let place: (latitude: Double, longitude: Double)
    let specializations: [Specialization]
    var isPediatric = false
    var isHospital = false
  }

  private static let sketches = [
    Sketch(
      names: LocalizedText(
        english: "Riverside Polyclinic", russian: "Поликлиника у реки", hebrew: "מרפאת הנהר"),
      street: "Harbour Road", place: (53.9045, 27.5615),
      specializations: [.generalPractice, .cardiology, .neurology]),
    Sketch(
      names: LocalizedText(
        english: "Linden Children’s Clinic", russian: "Детская поликлиника «Липа»",
        hebrew: "מרפאת ילדים תרזה"),
      street: "Linden Avenue", place: (53.9229, 27.5970),
      specializations: [.pediatrics, .otolaryngology, .vaccination], isPediatric: true),
    Sketch(
      names: LocalizedText(
        english: "Town Hospital", russian: "Городская больница", hebrew: "בית החולים העירוני"),
      street: "Station Street", place: (53.8830, 27.5420),
      specializations: [.surgery, .traumatology, .radiology], isHospital: true),
    Sketch(
      names: LocalizedText(
        english: "Orchard Family Practice", russian: "Семейная практика «Сад»",
        hebrew: "מרפאת המשפחה בוסתן"),
      street: "Orchard Street", place: (53.9360, 27.4810),
      specializations: [.generalPractice, .gynecology, .dermatology]),
    Sketch(
      names: LocalizedText(
        english: "Mill Lane Eye Centre", russian: "Глазной центр на Мельничной",
        hebrew: "מרכז העיניים בסמטת הטחנה"),
      street: "Mill Lane", place: (53.8710, 27.6290),
      specializations: [.ophthalmology, .endocrinology, .rheumatology]),
    Sketch(
      names: LocalizedText(
        english: "Meadow Dental Clinic", russian: "Стоматология «Луг»", hebrew: "מרפאת שיניים האחו"),
      street: "Meadow Path", place: (53.8460, 27.4700),
      specializations: [.dentistry, .physiotherapy, .allergology]),
    Sketch(
      names: LocalizedText(
        english: "North Gate Polyclinic", russian: "Поликлиника «Северные ворота»",
        hebrew: "מרפאת השער הצפוני"),
      street: "North Gate", place: (53.9580, 27.5430),
      specializations: [.generalPractice, .urology, .pulmonology]),
    Sketch(
      names: LocalizedText(
        english: "Children’s Hospital", russian: "Детская больница", hebrew: "בית החולים לילדים"),
      street: "Hill Road", place: (53.8950, 27.6690),
      specializations: [.pediatrics, .orthopedics, .psychology], isPediatric: true,
      isHospital: true),
  ]

  /// Stores the clinics with three departments each. Returns the departments grouped by clinic.
  static func enter(on connection: Connection) throws -> [[ID<Department>]] {
    try sketches.enumerated().map { number, sketch in
      var draft = ClinicDraft()
      draft.name = sketch.names
      draft.country = "BY"
      draft.city = "Minsk"
      draft.street = sketch.street
      draft.houseNumber = String(7 * number + 3)
      (draft.latitude, draft.longitude) = (sketch.place.latitude, sketch.place.longitude)
      draft.phone = "+375 17 14\(number + 1) 3\(number) 4\(number + 1)"
      draft.zone = "Europe/Minsk"
      draft.isPediatric = sketch.isPediatric
      draft.isHospital = sketch.isHospital
      let clinic = try draft.insert(on: connection)
      return try sketch.specializations.map {
        try Department.insert($0, into: clinic, on: connection)
      }
    }
  }
}
