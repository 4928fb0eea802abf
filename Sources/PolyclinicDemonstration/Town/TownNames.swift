import PolyclinicCore

/// The names of the fictional town's people and streets.
enum TownNames {
  static func given(_ isFemale: Bool, _ language: Language) -> [String] {
    switch language {
    case .english: isFemale ? englishWomen : englishMen
    case .russian: isFemale ? russianWomen : russianMen
    case .hebrew: isFemale ? hebrewWomen : hebrewMen
    }
  }

  private static let englishWomen = [
    "Alice", "Clara", "Emma", "Grace", "Hannah", "Iris", "Lucy", "Nora", "Olivia", "Ruth", "Sophie",
    "Violet",
  ]
  private static let englishMen = [
    "Arthur", "Ben", "Daniel", "Edward", "Felix", "George", "Henry", "Jack", "Oliver", "Simon",
    "Thomas",
    "Victor",
  ]
  private static let russianWomen = [
    "Анна", "Вера", "Дарья", "Екатерина", "Жанна", "Ирина", "Людмила", "Мария", "Наталья", "Ольга",
    "Светлана", "Татьяна",
  ]
  private static let russianMen = [
    "Алексей", "Борис", "Глеб", "Дмитрий", "Егор", "Захар", "Игорь", "Кирилл", "Михаил", "Николай",
    "Павел", "Сергей",
  ]
  private static let hebrewWomen = [
    "ברכה", "דנה", "הדס", "ורד", "חנה", "יעל", "מיכל", "נועה", "אורלי", "רחל", "שרה", "תמר",
  ]
  private static let hebrewMen = [
    "אבי", "אורי", "גיל", "דוד", "זאב", "יונתן", "יוסי", "משה", "נדב", "עמית", "רון", "שמואל",
  ]

  static func family(_ language: Language) -> [String] {
    switch language {
    case .english:
      [
        "Ashdown", "Birch", "Cooper", "Dale", "Elmswood", "Fairley", "Grant", "Holloway", "Irving",
        "Marsh", "Norwood", "Quill",
      ]
    case .russian:
      [
        "Берёзкин", "Васильковский", "Горностаев", "Дубровин", "Ежевикин", "Журавлёв", "Зимин",
        "Калинин", "Лесной", "Морошкин", "Озёрный", "Рябинин",
      ]
    case .hebrew:
      [
        "אלון", "ברוש", "גפן", "דקל", "הדר", "זית", "כרמל", "לביא", "נחל", "ערבה", "רימון", "שקד",
      ]
    }
  }

  /// Streets of the map of the demonstration.
  static let streets = [
    "Orchard Street", "Mill Lane", "Harbour Road", "Linden Avenue", "Station Street",
    "School Street",
    "Potters’ Street", "Glass Street", "East Street", "Hill Road",
  ]
}
