import PolyclinicCore

/// The names of the fictional town's doctors in all three scripts.
enum TownNames {
  /// Each name in English, Russian and Hebrew. Russian surnames of women stand beside those of men.
  private static let table = """
    Alice|Элис|אליס
    Ben|Бен|בן
    Clara|Клара|קלרה
    Daniel|Дэниел|דניאל
    Emma|Эмма|אמה
    Felix|Феликс|פליקס
    Grace|Грейс|גרייס
    Henry|Генри|הנרי
    Iris|Айрис|איריס
    Jack|Джек|ג׳ק
    Anna|Анна|אנה
    Boris|Борис|בוריס
    Vera|Вера|ורה
    Gleb|Глеб|גלב
    Daria|Дарья|דריה
    Yegor|Егор|יגור
    Zhanna|Жанна|ז׳אנה
    Zakhar|Захар|זאכר
    Irina|Ирина|אירינה
    Kirill|Кирилл|קיריל
    Avi|Ави|אבי
    Bracha|Браха|ברכה
    Gil|Гиль|גיל
    Dana|Дана|דנה
    Hadas|Хадас|הדס
    Vered|Веред|ורד
    Zeev|Зеэв|זאב
    Hanna|Ханна|חנה
    Tal|Таль|טל
    Yael|Яэль|יעל
    Hannah|Ханна|האנה
    Lucy|Люси|לוסי
    Nora|Нора|נורה
    Olivia|Оливия|אוליביה
    Ruth|Рут|רות
    Sophie|Софи|סופי
    Violet|Вайолет|ויולט
    Arthur|Артур|ארתור
    Edward|Эдвард|אדוארד
    George|Джордж|ג׳ורג׳
    Oliver|Оливер|אוליבר
    Simon|Саймон|סיימון
    Thomas|Томас|תומאס
    Victor|Виктор|ויקטור
    Yekaterina|Екатерина|יקטרינה
    Lyudmila|Людмила|ליודמילה
    Maria|Мария|מריה
    Natalya|Наталья|נטליה
    Olga|Ольга|אולגה
    Svetlana|Светлана|סבטלנה
    Tatyana|Татьяна|טטיאנה
    Aleksey|Алексей|אלכסיי
    Dmitry|Дмитрий|דמיטרי
    Igor|Игорь|איגור
    Mikhail|Михаил|מיכאיל
    Nikolay|Николай|ניקולאי
    Pavel|Павел|פאבל
    Sergey|Сергей|סרגיי
    Michal|Михаль|מיכל
    Noa|Ноа|נועה
    Orly|Орли|אורלי
    Rachel|Рахель|רחל
    Sara|Сара|שרה
    Tamar|Тамар|תמר
    Uri|Ури|אורי
    David|Давид|דוד
    Yonatan|Йонатан|יונתן
    Yossi|Йоси|יוסי
    Moshe|Моше|משה
    Nadav|Надав|נדב
    Amit|Амит|עמית
    Ron|Рон|רון
    Shmuel|Шмуэль|שמואל
    Ashdown|Эшдаун|אשדאון
    Birch|Бёрч|בירץ׳
    Cooper|Купер|קופר
    Dale|Дейл|דייל
    Elmswood|Элмсвуд|אלמסווד
    Fairley|Фэрли|פיירלי
    Grant|Грант|גרנט
    Holloway|Холлоуэй|הולוויי
    Irving|Ирвинг|אירווינג
    Marsh|Марш|מארש
    Norwood|Норвуд|נורווד
    Quill|Квилл|קוויל
    Beryozkin|Берёзкин|בריוזקין
    Beryozkina|Берёзкина|בריוזקינה
    Vasilkovsky|Васильковский|וסילקובסקי
    Vasilkovskaya|Васильковская|וסילקובסקיה
    Gornostaev|Горностаев|גורנוסטייב
    Gornostaeva|Горностаева|גורנוסטייבה
    Dubrovin|Дубровин|דוברובין
    Dubrovina|Дубровина|דוברובינה
    Yezhevikin|Ежевикин|יז׳ביקין
    Yezhevikina|Ежевикина|יז׳ביקינה
    Zhuravlyov|Журавлёв|ז׳ורבליוב
    Zhuravlyova|Журавлёва|ז׳ורבליובה
    Zimin|Зимин|זימין
    Zimina|Зимина|זימינה
    Kalinin|Калинин|קלינין
    Kalinina|Калинина|קלינינה
    Lesnoy|Лесной|לסנוי
    Lesnaya|Лесная|לסנאיה
    Moroshkin|Морошкин|מורושקין
    Moroshkina|Морошкина|מורושקינה
    Ozyorny|Озёрный|אוזיורני
    Ozyornaya|Озёрная|אוזיורנאיה
    Ryabinin|Рябинин|ריאבינין
    Ryabinina|Рябинина|ריאבינינה
    Alon|Алон|אלון
    Brosh|Брош|ברוש
    Gefen|Гефен|גפן
    Dekel|Декель|דקל
    Hadar|Хадар|הדר
    Zayit|Заит|זית
    Carmel|Кармель|כרמל
    Lavi|Лави|לביא
    Nahal|Нахаль|נחל
    Arava|Арава|ערבה
    Rimon|Римон|רימון
    Shaked|Шакед|שקד
    """.split(separator: "\n").map { $0.split(separator: "|").map(String.init) }

  /// Returns a name in all scripts; empty where a word of it is not in the table.
  static func localized(_ name: String) -> LocalizedText {
    let words = name.split(separator: " ").map { word in table.first { $0.contains(String(word)) } }
    func joined(_ column: Int) -> String {
      let known = words.compactMap { $0.flatMap { $0.indices.contains(column) ? $0[column] : nil } }
      return known.count == words.count ? known.joined(separator: " ") : ""
    }
    return LocalizedText(english: joined(0), russian: joined(1), hebrew: joined(2))
  }
}

/// The texts of the pages of the fictional town's doctors.
enum TownProfiles {
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

  /// Returns the profile of the doctor with a number.
  static func profile(
    _ number: Int, named name: String, in specialization: Specialization?
  ) -> DoctorProfile {
    var profile = DoctorProfile()
    profile.names = TownNames.localized(name)
    profile.languages = spoken[number % spoken.count].map { SpokenLanguage(code: $0) }
    profile.about = abouts[number % abouts.count]
    if let patients = specialization.flatMap({ patients[$0] }) {
      let about = profile.about
      profile.about = LocalizedText(
        english: "\(patients.english) \(about.english)",
        russian: "\(patients.russian) \(about.russian)",
        hebrew: "\(patients.hebrew) \(about.hebrew)")
    }
    return profile
  }
}
