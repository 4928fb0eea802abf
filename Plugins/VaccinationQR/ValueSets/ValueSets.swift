import PolyclinicCore

/// The value sets of EU certificates by code. Codes and English terms are from the EU value sets,
/// release 2.12.0 (github.com/ehn-dcc-development/eu-dcc-valuesets, Apache License 2.0), in the
/// portal's own format. The Russian and Hebrew terms are the portal's.
enum ValueSets {
  /// The EU value set `disease-agent-targeted`.
  static let diseases: [String: Term] = ["840539006": Term("COVID-19")]

  /// The EU value set `sct-vaccines-covid-19`.
  static let vaccines: [String: Term] = [
    "1119305005": Term(
      "SARS-CoV-2 antigen vaccine", ru: "антигенная вакцина против SARS-CoV-2",
      he: "חיסון אנטיגן נגד SARS-CoV-2"),
    "1119349007": Term(
      "SARS-CoV-2 mRNA vaccine", ru: "мРНК-вакцина против SARS-CoV-2",
      he: "חיסון mRNA נגד SARS-CoV-2"),
    "J07BX03": Term("COVID-19 vaccine", ru: "вакцина против COVID-19", he: "חיסון נגד COVID-19"),
    "1162643001": Term(
      "SARS-CoV-2 recombinant spike protein antigen vaccine",
      ru: "вакцина с рекомбинантным S-белком SARS-CoV-2",
      he: "חיסון חלבון ספייק רקומביננטי נגד SARS-CoV-2"),
    "1157024006": Term(
      "Inactivated whole SARS-CoV-2 antigen vaccine",
      ru: "инактивированная цельновирионная вакцина против SARS-CoV-2",
      he: "חיסון נגיף שלם מומת נגד SARS-CoV-2"),
    "29061000087103": Term(
      "COVID-19 non-replicating viral vector vaccine",
      ru: "векторная вакцина против COVID-19 на нереплицирующемся вирусе",
      he: "חיסון וקטור נגיפי שאינו משתכפל נגד COVID-19"),
    "28531000087107": Term(
      "COVID-19 vaccine", ru: "вакцина против COVID-19", he: "חיסון נגד COVID-19"),
    "30141000087107": Term(
      "SARS-CoV-2 virus-like particle antigen vaccine",
      ru: "вакцина из вирусоподобных частиц против SARS-CoV-2",
      he: "חיסון חלקיקים דמויי נגיף נגד SARS-CoV-2"),
    "1187593009": Term(
      "SARS-CoV-2 DNA plasmid encoding spike protein vaccine",
      ru: "плазмидная ДНК-вакцина против SARS-CoV-2",
      he: "חיסון DNA פלסמידי נגד SARS-CoV-2"),
  ]

  /// The EU value set `covid-19-lab-test-type`.
  static let testTypes: [String: Term] = [
    "LP6464-4": Term(
      "Nucleic acid amplification with probe detection",
      ru: "амплификация нуклеиновых кислот (ПЦР и подобные)",
      he: "הגברת חומצות גרעין (PCR ודומיו)"),
    "LP217198-3": Term(
      "Rapid immunoassay", ru: "экспресс-тест на антиген", he: "בדיקת אנטיגן מהירה"),
  ]

  /// The EU value set `covid-19-lab-result`.
  static let results: [String: Term] = [
    "260415000": Term("Not detected", ru: "не обнаружено", he: "לא נמצא"),
    "260373001": Term("Detected", ru: "обнаружено", he: "נמצא"),
  ]
}

extension ValueSets {
  /// The terms of SMART Health Card codes, by code system.
  static let bySystem: [String: [String: Term]] = [
    "http://hl7.org/fhir/sid/cvx": cvx, "http://loinc.org": laboratoryTests,
    "http://snomed.info/sct": results.merging(answers) { first, _ in first },
  ]

  /// Further SNOMED CT codes of results, besides ``results``.
  private static let answers: [String: Term] = [
    "10828004": Term("Positive", ru: "положительный", he: "חיובי"),
    "260385009": Term("Negative", ru: "отрицательный", he: "שלילי"),
  ]

  /// LOINC codes of tests.
  private static let laboratoryTests: [String: Term] = [
    "94500-6": Term(
      "SARS-CoV-2 RNA, respiratory specimen", ru: "РНК SARS-CoV-2, мазок из дыхательных путей",
      he: "RNA של SARS-CoV-2, דגימה מדרכי הנשימה"),
    "94558-4": Term(
      "SARS-CoV-2 antigen, rapid immunoassay", ru: "антиген SARS-CoV-2, экспресс-тест",
      he: "אנטיגן SARS-CoV-2, בדיקה מהירה"),
  ]

  /// The statuses of Immunization and Observation in FHIR R4.
  static let statuses: [String: Term] = [
    "completed": Term("completed", ru: "завершено", he: "הושלם"),
    "not-done": Term("not done", ru: "не сделано", he: "לא בוצע"),
    "entered-in-error": Term("entered in error", ru: "внесено по ошибке", he: "הוזן בטעות"),
    "final": Term("final", ru: "окончательно", he: "סופי"),
    "preliminary": Term("preliminary", ru: "предварительно", he: "זמני"),
    "amended": Term("amended", ru: "изменено", he: "תוקן"),
    "corrected": Term("corrected", ru: "исправлено", he: "תוקן"),
  ]

  /// The certificate types from the README of github.com/MohGovIL/Ramzor.
  static let israeliTypes: [String: Term] = [
    "1": Term("Green Pass", ru: "«зелёный паспорт»", he: "תו ירוק"),
    "2": Term("Vaccination", ru: "вакцинация", he: "חיסון"),
    "3": Term("Recovery", ru: "перенесённая болезнь", he: "החלמה"),
  ]

  /// The COVID-19 vaccines of CVX (CDC, IIS code set), for SMART Health Cards and Israel's first
  /// format. Pages show an unknown code unchanged.
  static let cvx: [String: Term] = [
    "207": Term("Moderna (Spikevax)"),
    "208": Term("Pfizer-BioNTech (Comirnaty)"),
    "210": Term("AstraZeneca (Vaxzevria)"),
    "211": Term("Novavax (Nuvaxovid)"),
    "212": Term("Janssen (Jcovden)"),
    "213": Term(
      "COVID-19 vaccine, unspecified", ru: "вакцина против COVID-19, не уточнена",
      he: "חיסון נגד COVID-19, לא מפורט"),
    "217": Term("Pfizer-BioNTech (Comirnaty)"),
    "218": Term(
      "Pfizer-BioNTech (Comirnaty), 5 to 11 years", ru: "Pfizer-BioNTech (Comirnaty), 5–11 лет",
      he: "Pfizer-BioNTech (Comirnaty), גיל 5 עד 11"),
    "219": Term(
      "Pfizer-BioNTech (Comirnaty), 6 months to 4 years",
      ru: "Pfizer-BioNTech (Comirnaty), от 6 месяцев до 4 лет",
      he: "Pfizer-BioNTech (Comirnaty), גיל חצי שנה עד 4"),
    "221": Term("Moderna (Spikevax), 50 µg", ru: "Moderna (Spikevax), 50 мкг"),
    "228": Term("Moderna (Spikevax), 25 µg", ru: "Moderna (Spikevax), 25 мкг"),
    "229": Term(
      "Moderna (Spikevax), bivalent", ru: "Moderna (Spikevax), бивалентная",
      he: "Moderna (Spikevax), דו־ערכי"),
    "300": Term(
      "Pfizer-BioNTech (Comirnaty), bivalent", ru: "Pfizer-BioNTech (Comirnaty), бивалентная",
      he: "Pfizer-BioNTech (Comirnaty), דו־ערכי"),
    "301": Term(
      "Pfizer-BioNTech (Comirnaty), bivalent, 5 to 11 years",
      ru: "Pfizer-BioNTech (Comirnaty), бивалентная, 5–11 лет",
      he: "Pfizer-BioNTech (Comirnaty), דו־ערכי, גיל 5 עד 11"),
    "502": Term("Covaxin"),
    "503": Term("CoviVac", ru: "КовиВак"),
    "504": Term("Sputnik Light", ru: "Спутник Лайт"),
    "505": Term("Sputnik V", ru: "Спутник V"),
    "509": Term("EpiVacCorona", ru: "ЭпиВакКорона"),
    "510": Term("BBIBP-CorV (Sinopharm)"),
    "511": Term("CoronaVac (Sinovac)"),
  ]
}

/// The translations of a code's term.
struct Term: Sendable, Equatable {
  let english: String
  private let russian: String?
  private let hebrew: String?

  /// Creates a term. A language without a translation uses the English one, as for product names.
  init(_ english: String, ru russian: String? = nil, he hebrew: String? = nil) {
    self.english = english
    self.russian = russian
    self.hebrew = hebrew
  }

  /// Reads terms that are the same in every language, each on a line behind its code.
  static func table(_ lines: StaticString) -> [String: Term] {
    let terms = lines.description.split(separator: "\n").map { line in
      let code = line.prefix { $0 != " " }
      return (String(code), Term(String(line.dropFirst(code.count + 1))))
    }
    return Dictionary(terms) { first, _ in first }
  }

  func words(in language: Language) -> String {
    switch language {
    case .english: english
    case .russian: russian ?? english
    case .hebrew: hebrew ?? english
    }
  }
}
