import PolyclinicCore

/// A vaccine that forms suggest, with the usual time until its next dose.
///
/// It has an interval only if that follows from the dose alone. Vaccines that children get at a
/// certain age, or whose next dose depends on a person's health, have none.
struct UsualVaccine: Sendable {
  let name: Term
  /// The intervals after the first doses, in their order.
  private var series: [Interval] = []
  /// The interval after each further dose; nil if none follows.
  private var booster: Interval?
  /// True if a record without the number of its dose is a booster.
  private var isUsuallyBooster = false
  /// The schedule that the intervals are from.
  private(set) var source = Source.who

  private enum Interval: Sendable {
    case days(Int)
    case months(Int)

    func end(from date: CalendarDate) -> CalendarDate? {
      switch self {
      case .days(let count): return date.adding(days: count)
      case .months(let count):
        let months = date.year * 12 + date.month - 1 + count
        let (year, month) = (months / 12, months % 12 + 1)
        let lastDay = CalendarDate.days(in: month, of: year)
        return CalendarDate(year: year, month: month, day: min(date.day, lastDay))
      }
    }
  }

  /// A schedule of vaccinations.
  enum Source: String {
    /// "Recommendations for routine immunization: summary tables" of the WHO's position papers.
    case who = "WHO"
    /// The recommendations of the Robert Koch Institute (Epidemiologisches Bulletin 4/2024), for
    /// boosters and vaccines for which the WHO names no interval.
    case stiko = "STIKO, Robert Koch Institute"
  }
}

extension UsualVaccine {
  static let all = [
    UsualVaccine(
      name: Term(
        "Tetanus and diphtheria", ru: "Столбняк и дифтерия", he: "טטנוס ודיפתריה"),
      series: [.months(1), .months(6)], booster: .months(120), isUsuallyBooster: true,
      source: .stiko),
    UsualVaccine(
      name: Term("Influenza", ru: "Грипп", he: "שפעת"), booster: .months(12),
      isUsuallyBooster: true),
    UsualVaccine(
      name: Term(
        "Tick-borne encephalitis", ru: "Клещевой энцефалит", he: "דלקת מוח נישאת קרציות"),
      // The later of the intervals of both products, Encepur and FSME-IMMUN.
      series: [.months(1), .months(9), .months(36)], booster: .months(60), source: .stiko),
    UsualVaccine(
      name: Term("Hepatitis A", ru: "Гепатит A", he: "הפטיטיס A"), series: [.months(6)]),
    UsualVaccine(
      name: Term("Hepatitis B", ru: "Гепатит B", he: "הפטיטיס B"),
      series: [.months(1), .months(5)]),
    UsualVaccine(
      name: Term(
        "Human papillomavirus (HPV)", ru: "Вирус папилломы человека (ВПЧ)",
        he: "נגיף הפפילומה (HPV)"), series: [.months(6)]),
    UsualVaccine(
      name: Term("Shingles", ru: "Опоясывающий лишай", he: "שלבקת חוגרת"),
      series: [.months(2)], source: .stiko),
    UsualVaccine(
      name: Term("Rabies", ru: "Бешенство", he: "כלבת"), series: [.days(7)]),
    UsualVaccine(
      name: Term("Japanese encephalitis", ru: "Японский энцефалит", he: "דלקת מוח יפנית"),
      series: [.days(28), .months(12)], source: .stiko),
    UsualVaccine(
      name: Term("Typhoid, injection", ru: "Брюшной тиф, инъекция", he: "טיפואיד, זריקה"),
      booster: .months(36), isUsuallyBooster: true),
    UsualVaccine(
      name: Term(
        "Measles, mumps and rubella", ru: "Корь, паротит и краснуха", he: "חצבת, חזרת ואדמת")),
    UsualVaccine(name: Term("Chickenpox", ru: "Ветряная оспа", he: "אבעבועות רוח")),
    UsualVaccine(name: Term("Whooping cough", ru: "Коклюш", he: "שעלת")),
    UsualVaccine(name: Term("Polio", ru: "Полиомиелит", he: "פוליו")),
    UsualVaccine(name: Term("Pneumococcal", ru: "Пневмококк", he: "פנאומוקוק")),
    UsualVaccine(name: Term("Meningococcal", ru: "Менингококк", he: "מנינגוקוק")),
    UsualVaccine(name: Term("Rotavirus", ru: "Ротавирус", he: "רוטה")),
    UsualVaccine(
      name: Term("Tuberculosis (BCG)", ru: "Туберкулёз (БЦЖ)", he: "שחפת (BCG)")),
    UsualVaccine(name: Term("Yellow fever", ru: "Жёлтая лихорадка", he: "קדחת צהובה")),
    UsualVaccine(name: Term("COVID-19")),
  ]

  /// Returns the names of all vaccines in the reader's language, as suggestions for a field.
  @Sendable
  static func names(_ context: Context) -> [String] {
    all.map { $0.name.words(in: context.language) }.sorted { SearchText($0) < SearchText($1) }
  }

  /// Finds the vaccine by the name or the disease of a record, in any language.
  static func find(for vaccination: Vaccination) -> UsualVaccine? {
    let typed = [vaccination.vaccine, vaccination.disease].filter { !$0.isEmpty }
      .map { SearchText($0).folded }
    return all.first { usual in
      Language.allCases.contains { typed.contains(SearchText(usual.name.words(in: $0)).folded) }
    }
  }

  /// Returns the day of the dose after this one; nil if the schedule has none.
  func nextDay(after vaccination: Vaccination) -> CalendarDate? {
    guard let date = vaccination.date else { return nil }
    guard let dose = vaccination.dose else {
      return isUsuallyBooster ? booster?.end(from: date) : nil
    }
    let interval = dose > 0 && dose <= series.count ? series[dose - 1] : booster
    return interval?.end(from: date)
  }
}

/// The usual next date of a vaccination that has none.
struct NextDoseProposal: Sendable {
  let day: CalendarDate
  let source: UsualVaccine.Source

  /// Returns nil for a vaccination with a next date or without a further dose, and for one that no
  /// schedule continues.
  init?(_ vaccination: Vaccination) {
    guard vaccination.nextDue == nil, !vaccination.isLast,
      let usual = UsualVaccine.find(for: vaccination),
      let day = usual.nextDay(after: vaccination)
    else { return nil }
    self.day = day
    source = usual.source
  }

  /// Stores the proposed date as the next one of the vaccination.
  static func take(_ context: Context) throws -> Path {
    let id: ID<Vaccination> = try context.id()
    var vaccination = try Vaccination.records.load(context)
    // Another press, or another page, may have stored a date meanwhile.
    if let proposal = try NextVaccinations(context).of(id)?.proposal {
      vaccination.nextDue = proposal.day
      try Vaccination.records.replace(id, with: vaccination, in: context)
    }
    return VaccinationPage.path(id)
  }

  /// Stores that no further dose follows, so that the record proposes none.
  static func dismiss(_ context: Context) throws -> Path {
    let id: ID<Vaccination> = try context.id()
    var vaccination = try Vaccination.records.load(context)
    if vaccination.nextDue == nil {
      vaccination.isLast = true
      try Vaccination.records.replace(id, with: vaccination, in: context)
    }
    return VaccinationPage.path(id)
  }
}
