import PolyclinicCore

extension UsefulContacts {
  /// The contacts of the countries for which the configuration names none. Each number is on the
  /// page named as its source. That page was read in an archived copy on the day beside it, so the
  /// copy may be older than that day.
  static let shipped: [String: [UsefulContact]] = [
    "BY": [
      emergency(
        "103",
        "https://minsk-smp.by/вопрос-ответ/часто-задаваемые-вопросы"),
      UsefulContact(
        "contacts.by.ministry", phone: "+375 17 222-70-80", web: .web("https://minzdrav.gov.by"),
        source: SourcePage(
          "http://minzdrav.gov.by/en/ministerstvo/struktura/podrazdeleniya/"
            + "otdel-obrashcheniy-grazhdan-i-yuridicheskikh-lits.php", read: day)),
      worldHealthOrganization,
    ],
    "EU": [
      emergency("112", "https://archive.europa.ba/?p=20084"),
      UsefulContact(
        "contacts.eu.direct", phone: "00 800 6 7 8 9 10 11",
        web: .web("https://european-union.europa.eu"),
        source: SourcePage(
          "http://europa.eu/rapid/press-release_MEMO-05-151_en.htm?locale=en", read: day)),
      UsefulContact("contacts.eu.ecdc", web: .web("https://www.ecdc.europa.eu")),
      worldHealthOrganization,
    ],
    "GB": [
      emergency(
        "999",
        "https://www.nnuh.nhs.uk/news/2020/09/stay-at-home-if-you-have-covid-19-symptoms/"),
      UsefulContact(
        "contacts.gb.nhs", phone: "111", web: .web("https://111.nhs.uk"),
        source: SourcePage("https://neas.nhs.uk/your-service/111", read: day)),
      worldHealthOrganization,
    ],
    "IL": [
      emergency(
        "101",
        "https://mdauk.org/ministry-of-health-confirms-mda-as-israels-first-response-organisation/"),
      UsefulContact(
        "contacts.il.ministry", phone: "*5400", web: .web("https://www.health.gov.il"),
        source: SourcePage(
          "https://ironswords.health.gov.il/en/health-services/evacuees", read: day)),
      worldHealthOrganization,
    ],
    "RU": [
      emergency(
        "103", "https://sergiev.ru/news/o-poryadke-vyzova-ekstrennykh-operativnykh-sluzhb"),
      UsefulContact(
        "contacts.ru.doctor", phone: "122",
        source: SourcePage(
          "https://nsn.fm/society/edinyi-telefonnyi-nomer-po-koronavirusu-poyavilsya-v-rossii",
          read: day)),
      UsefulContact(
        "contacts.ru.ministry", phone: "8 800 200-0-200", web: .web("https://minzdrav.gov.ru"),
        source: SourcePage("https://www.tsn24.ru/amp/134865", read: day)),
      worldHealthOrganization,
    ],
    "US": [
      emergency(
        "911",
        "https://health.hawaii.gov/coronavirusdisease2019/what-you-should-know/symptoms/"),
      UsefulContact(
        "contacts.us.cdc", phone: "+1 800-232-4636", web: .web("https://www.cdc.gov"),
        source: SourcePage("https://www.cdc.gov/cdc-info/about.html", read: day)),
      worldHealthOrganization,
    ],
  ]

  static let worldHealthOrganization = UsefulContact(
    "contacts.who", web: .web("https://www.who.int"))

  private static let day = "2026-11-23"

  private static func emergency(_ number: String, _ source: String) -> UsefulContact {
    UsefulContact(
      "contacts.emergency", phone: number, isEmergency: true,
      source: SourcePage(source, read: day))
  }
}
