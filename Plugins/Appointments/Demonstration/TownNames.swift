import PolyclinicCore

/// The names of the fictional town's doctors in all three scripts.
extension LocalizedText {
  /// Each name in English, Russian and Hebrew. Russian surnames of women stand beside those of men.
  private static let table = String(decoding: PackageResources.town_names_csv, as: UTF8.self)
    .split(separator: "\n").map { $0.split(separator: ",").map(String.init) }

  /// The name in all scripts; empty where a word of it is not in the table.
  fileprivate init(ofDoctor name: String) {
    let words = name.split(separator: " ").map { word in
      Self.table.first { $0.contains(String(word)) }
    }
    func joined(_ column: Int) -> String {
      let known = words.compactMap { $0.flatMap { $0.indices.contains(column) ? $0[column] : nil } }
      return known.count == words.count ? known.joined(separator: " ") : ""
    }
    self.init(english: joined(0), russian: joined(1), hebrew: joined(2))
  }
}

/// The texts of the pages of the fictional town's doctors.
extension DoctorProfile {
  private static let abouts = [
    LocalizedText(
      english: "Takes time to explain every step of a treatment.",
      russian: "Подробно объясняет каждый шаг лечения.",
      hebrew: "הסבר סבלני של כל שלב בטיפול."),
    LocalizedText(
      english: "Twelve years in practice. Discusses test results by telephone on Tuesdays.",
      russian: "Стаж двенадцать лет. По вторникам обсуждает результаты обследований по телефону.",
      hebrew: "שתים־עשרה שנות ניסיון. בימי שלישי אפשר לשוחח בטלפון על תוצאות בדיקות."),
    LocalizedText(
      english: "Trained in Minsk and Haifa. Please bring earlier results to the first visit.",
      russian: "Учёба в Минске и Хайфе. На первый приём возьмите прежние результаты обследований.",
      hebrew: "הכשרה במינסק ובחיפה. הביאו לביקור הראשון תוצאות של בדיקות קודמות."),
  ]

  /// The patients of the doctors who see one age only.
  private static let patients: [Specialization: LocalizedText] = [
    .generalPractice: LocalizedText(
      english: "Looks after adults of all ages.", russian: "Лечит взрослых любого возраста.",
      hebrew: "טיפול במבוגרים בכל גיל."),
    .pediatrics: LocalizedText(
      english: "Looks after children from birth to eighteen.",
      russian: "Лечит детей от рождения до восемнадцати лет.",
      hebrew: "טיפול בילדים מלידה ועד גיל שמונה־עשרה."),
  ]

  private static let spoken = [
    ["en", "ru"], ["ru", "be"], ["he", "en"], ["en", "ru", "he"], ["en", "pl"],
  ]

  /// The profile of the town's doctor with a number.
  init(ofTownDoctor number: Int, named name: String, in specialization: Specialization?) {
    self.init()
    names = LocalizedText(ofDoctor: name)
    languages = Self.spoken[number % Self.spoken.count].map { SpokenLanguage(code: $0) }
    about = Self.abouts[number % Self.abouts.count]
    fee = "\(50 + 10 * (number % 4)) BYN"
    // Twelve years, as one of the texts says.
    practiceSince = number % Self.abouts.count == 1 ? 2014 : 1984 + number
    newPatients = (number % 7 == 5 ? NewPatients.refused : .accepted).rawValue
    if let patients = specialization.flatMap({ Self.patients[$0] }) {
      about = LocalizedText(
        english: "\(patients.english) \(about.english)",
        russian: "\(patients.russian) \(about.russian)",
        hebrew: "\(patients.hebrew) \(about.hebrew)")
    }
  }
}
