import PolyclinicCore

/// The clinics of the fictional town, at coordinates in Minsk.
enum TownClinics {
  private struct Sketch {
    let names: LocalizedText
    let about: LocalizedText
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
      about: LocalizedText(
        english:
          "General practice, heart and nerves in one building by the river. Step-free entrance.",
        russian: "Терапия, кардиология и неврология в одном здании у реки. Вход без ступеней.",
        hebrew: "רפואת משפחה, קרדיולוגיה ונוירולוגיה בבניין אחד על הנהר. כניסה נגישה."),
      street: "Harbour Road", place: (53.9045, 27.5615),
      specializations: [.generalPractice, .cardiology, .neurology]),
    Sketch(
      names: LocalizedText(
        english: "Linden Children’s Clinic", russian: "Детская поликлиника «Липа»",
        hebrew: "מרפאת ילדים תרזה"),
      about: LocalizedText(
        english:
          "For children from birth to 18. There is a play corner, and space for prams at the door.",
        russian:
          "Для детей от рождения до 18 лет. Есть игровой уголок и место для колясок у входа.",
        hebrew: "לילדים מלידה ועד גיל 18. במקום פינת משחקים ומקום לעגלות בכניסה."),
      street: "Linden Avenue", place: (53.9229, 27.5970),
      specializations: [.pediatrics, .otolaryngology, .vaccination], isPediatric: true),
    Sketch(
      names: LocalizedText(
        english: "Town Hospital", russian: "Городская больница", hebrew: "בית החולים העירוני"),
      about: LocalizedText(
        english: "Hospital for planned operations and injuries. Beds on four floors.",
        russian: "Больница для плановых операций и лечения травм. Палаты на четырёх этажах.",
        hebrew: "בית חולים לניתוחים מתוכננים ולפציעות. אשפוז בארבע קומות."),
      street: "Station Street", place: (53.8830, 27.5420),
      specializations: [.surgery, .traumatology, .radiology], isHospital: true),
    Sketch(
      names: LocalizedText(
        english: "Orchard Family Practice", russian: "Семейная практика «Сад»",
        hebrew: "מרפאת המשפחה בוסתן"),
      about: LocalizedText(
        english: "A small practice for the whole family, with free parking in the yard.",
        russian: "Небольшая практика для всей семьи, бесплатная стоянка во дворе.",
        hebrew: "מרפאה קטנה לכל המשפחה, עם חניה חינם בחצר."),
      street: "Orchard Street", place: (53.9360, 27.4810),
      specializations: [.generalPractice, .gynecology, .dermatology]),
    Sketch(
      names: LocalizedText(
        english: "Mill Lane Eye Centre", russian: "Глазной центр на Мельничной",
        hebrew: "מרכז העיניים בסמטת הטחנה"),
      about: LocalizedText(
        english: "Eye tests and treatment, and care of long-term conditions.",
        russian: "Проверка и лечение глаз, наблюдение при хронических болезнях.",
        hebrew: "בדיקות עיניים וטיפול, ומעקב אחר מחלות כרוניות."),
      street: "Mill Lane", place: (53.8710, 27.6290),
      specializations: [.ophthalmology, .endocrinology, .rheumatology]),
    Sketch(
      names: LocalizedText(
        english: "Meadow Dental Clinic", russian: "Стоматология «Луг»", hebrew: "מרפאת שיניים האחו"),
      about: LocalizedText(
        english: "Dentists, physiotherapists and allergy tests.",
        russian: "Стоматология, физиотерапия и проверка на аллергию.",
        hebrew: "רופאי שיניים, פיזיותרפיה ובדיקות אלרגיה."),
      street: "Meadow Path", place: (53.8460, 27.4700),
      specializations: [.dentistry, .physiotherapy, .allergology]),
    Sketch(
      names: LocalizedText(
        english: "North Gate Polyclinic", russian: "Поликлиника «Северные ворота»",
        hebrew: "מרפאת השער הצפוני"),
      about: LocalizedText(
        english: "For the northern districts. Bus 18 stops at the door.",
        russian: "Для северных районов. Автобус 18 останавливается у входа.",
        hebrew: "לשכונות הצפון. קו 18 עוצר בכניסה."),
      street: "North Gate", place: (53.9580, 27.5430),
      specializations: [.generalPractice, .urology, .pulmonology]),
    Sketch(
      names: LocalizedText(
        english: "Children’s Hospital", russian: "Детская больница", hebrew: "בית החולים לילדים"),
      about: LocalizedText(
        english: "Hospital for children and teenagers. A parent can stay overnight.",
        russian: "Больница для детей и подростков. Один из родителей может остаться на ночь.",
        hebrew: "בית חולים לילדים ולנוער. הורה אחד יכול להישאר ללילה."),
      street: "Hill Road", place: (53.8950, 27.6690),
      specializations: [.pediatrics, .orthopedics, .psychology], isPediatric: true,
      isHospital: true),
  ]

  /// Stores the clinics with three departments each. Returns the departments grouped by clinic.
  static func enter(in work: Work) throws -> [[ID<Department>]] {
    try sketches.enumerated().map { number, sketch in
      var draft = ClinicDraft()
      draft.name = sketch.names
      draft.country = "BY"
      draft.city = "Minsk"
      draft.street = sketch.street
      draft.houseNumber = String(7 * number + 3)
      (draft.latitude, draft.longitude) = (sketch.place.latitude, sketch.place.longitude)
      draft.phone = "+375 17 14\(number + 1) 3\(number) 4\(number + 1)"
      draft.about = sketch.about
      draft.email = "clinic\(number + 1)@example.org"
      draft.website = "https://clinic\(number + 1).example.org"
      draft.zone = "Europe/Minsk"
      draft.isPediatric = sketch.isPediatric
      draft.isHospital = sketch.isHospital
      let clinic = try draft.insert(in: work)
      return try sketch.specializations.map {
        try Department.insert($0, into: clinic, in: work)
      }
    }
  }
}
