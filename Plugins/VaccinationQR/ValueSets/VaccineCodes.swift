extension ValueSets {
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
