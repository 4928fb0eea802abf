import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The public list of doctors: its search, its order and the free times in it.
@Suite struct DoctorSearchTests {
  private let town: Town
  private let administrator: TestVisitor
  private var portal: TestPortal { town.portal }

  init() throws {
    town = try Town()
    administrator = try town.portal.administrator()
  }

  private func list(_ query: String = "", _ language: Language = .english) -> TestPage {
    portal.visitor(language: language).get("/appointments/doctors?\(query)")
  }

  private func finds(_ words: String, _ language: Language = .english) -> Bool {
    list("q=\(encoded(words))", language).rows.contains {
      $0.contains("House") || $0.contains("Хаус")
    }
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  private func describe(_ changes: [String: String]) throws {
    let fields = ["doctor_name": "Dr. House", "doctor_department": "\(town.department)"]
    let answer = try administrator.submit(
      town.doctorPath + "/edit", fields.merging(changes) { $1 })
    #expect(answer.status == 303)
  }

  @Test func `a button below the filters applies them, and the list says its order`() {
    #expect(list().hasButton("Show doctors"))
    #expect(portal.visitor().get("/appointments/clinics").hasButton("Show clinics"))
    #expect(list().text.contains("1 doctor · earliest free time first"))
    #expect(list("sort=name").text.contains("1 doctor · sorted by surname"))
  }

  /// Adds a doctor who works on one weekday and returns the number.
  @discardableResult
  private func employ(_ name: String, on weekday: Int? = 1) throws -> ID<Doctor> {
    let person = try portal.person(of: portal.doctor())
    return try portal.write { connection in
      var draft = DoctorDraft()
      draft.account = "\(person)"
      draft.name = name
      let doctor = try draft.insert(
        into: town.department, in: connection.with(portal.keys(of: town.doctorVisitor)))
      if let weekday = weekday.flatMap(Weekday.init(number:)) {
        var hours = WorkingHours()
        hours.work = [
          .init(
            weekday: weekday, starts: TimeOfDay(hour: 8, minute: 0),
            ends: TimeOfDay(hour: 9, minute: 0))
        ]
        try hours.replace(of: doctor, in: connection)
      }
      return doctor
    }
  }

  @Test func `misspelt words that find nobody show what the words that they resemble find`() throws
  {
    try describe(["doctor_name_ru": "Грегори Хаус"])
    func corrected(_ words: String, to meant: String = "") -> Bool {
      list("q=\(encoded(words))").hasNotice(.plain, "Results for “\(meant)")
    }
    for (typed, meant) in [
      ("huose", "House"), ("hause", "House"), ("cardiolgy", "Cardiology"),
      ("kadriology", "Cardiology"), ("грегоир", "Грегори"), ("minks", "Minsk"), ("ouse", "House"),
      ("frist clinic", "First Clinic"), ("house kardiology", "House Cardiology"),
    ] {
      #expect(corrected(typed, to: "\(meant)”") && finds(typed), "\(typed)")
    }
    let clinics = portal.visitor().get("/appointments/clinics?q=frist")
    #expect(clinics.hasLink(to: "/appointments/clinics?q=First"))
    // Words that are known, short or resemble no other.
    for words in ["house", "hou", "hxx", "mniskk", "zzzzzz", "house urology"] {
      #expect(!corrected(words), "\(words)")
    }
    let long = String(repeating: "house ", count: 30) + String(repeating: "x", count: 60)
    #expect(list("q=\(encoded(long))").status == 200 && !corrected(long))
  }

  @Test func `other words that a misspelt one resembles are links, each meaning once`() throws {
    try employ("Anna Houser")
    let page = list("q=huose")
    #expect(page.hasNotice(.plain, "Results for “House”") && page.hasRow("Dr. House"))
    #expect(page.hasLink(to: "/appointments/doctors?q=Houser"))
    #expect(!list("q=cardiolgy").hasLink(with: "?q=cardiologist"))
    let narrow = list("q=huose&specialization=surgery")
    #expect(narrow.isEmptyList() && narrow.hasLink(to: "/appointments/doctors?q=House"))
  }

  @Test func `a search finds a doctor by name, specialization, clinic and town in any script`()
    throws
  {
    try describe(["doctor_name_ru": "Грегори Хаус", "doctor_name_he": "גרגורי האוס"])
    for words in [
      "house", "HOUSE dr", "хаус", "האוס", "cardio", "first clinic", "первая", "minsk", "МИНСК",
      "מינסק", "house minsk",
    ] {
      #expect(finds(words), "\(words)")
    }
    #expect(finds("кардиология", .russian))
    for words in ["zzz", "house urology", "use"] {
      #expect(!finds(words), "\(words)")
    }
  }

  @Test(arguments: [
    (
      Specialization.cardiology,
      [
        "cardiologist", "cardiologists", "heart doctor", "кардиология", "кардиолог", "сердце",
        "רופא לב", "chest pain", "боль в груди", "сердце болит", "כאבים בחזה",
      ]
    ),
    (
      .pediatrics,
      [
        "pediatrician", "paediatrician", "children's doctor", "children’s doctor", "детский врач",
        "педиатр", "ребёнок", "ребенок", "дети", "רופא ילדים",
      ]
    ),
    (
      .generalPractice,
      [
        "GP", "family doctor", "stomach", "терапевт", "רופא משפחה", "боль в животе", "כאב בבטן",
        "pain", "it hurts", "боль", "у меня болит", "כואב לי",
      ]
    ),
    (.dermatology, ["skin", "кожа", "עור"]),
    (
      .orthopedics,
      [
        "bones", "кости", "אורתופדיה", "אורטופדיה", "боль в спине", "болит спина", "спина",
        "כואב לי הגב", "כאב גב", "knee pain", "болит левое колено",
      ]
    ),
    (.physiotherapy, ["back pain", "боль в спине", "болит спина", "спина", "כואב לי הגב"]),
    (.neurology, ["stroke", "инсульт", "שבץ", "болит голова", "כאב ראש", "headache"]),
    (.traumatology, ["broken arm", "сломал руку", "יד שבורה"]),
    (.psychology, ["mental health", "депрессия", "בריאות הנפש"]),
    (.radiology, ["x-ray", "узи", "אולטרסאונד"]),
    (.vaccination, ["flu shot", "прививка от гриппа", "חיסון שפעת"]),
    (.ophthalmology, ["eye doctor", "окулист", "глазной врач", "רופא עיניים", "боль в глазу"]),
    (.otolaryngology, ["ENT", "лор", "ear nose throat", "боль в ухе", "sore throat", "כאב באוזן"]),
    (
      .dentistry,
      [
        "dentist", "tooth ache", "зубной", "стоматолог", "רופא שיניים", "שן", "болит зуб",
        "כואבת לי השן",
      ]
    ),
    (.gynecology, ["gynaecologist", "гинеколог", "רופאת נשים"]),
  ])
  func `a search finds a doctor by everyday words in any language`(
    specialization: Specialization, words: [String]
  ) throws {
    try treat(specialization)
    for words in words { #expect(finds(words), "\(words)") }
    #expect(!finds("urologist"))
  }

  /// Gives the doctor of the town another specialization.
  private func treat(_ specialization: Specialization) throws {
    try portal.write { connection in
      try connection.run(
        """
        UPDATE appointments_departments SET specialization = \(specialization.rawValue)
        WHERE id_department = \(town.department)
        """)
    }
  }

  /// Moves the doctor of the town to a new department of a clinic.
  private func move(
    to clinic: ID<Clinic>, _ specialization: Specialization, doctor: ID<Doctor>? = nil
  ) throws {
    try portal.write { connection in
      let department = try Department.insert(specialization, into: clinic, in: connection)
      try connection.run(
        """
        UPDATE appointments_doctors SET department = \(department)
        WHERE id_doctor = \(doctor ?? town.doctor)
        """)
    }
  }

  @Test(arguments: [
    "боль в груди", "болит спина", "боль", "chest pain", "stomach ache", "pain", "כאבים בחזה",
    "כואב לי הגב", "כאב",
  ])
  func `a word for pain finds no doctor by itself`(_ words: String) throws {
    for specialization in [Specialization.dentistry, .neurology] {
      try treat(specialization)
      #expect(!finds(words), "\(words)")
    }
  }

  @Test func `for pain in the chest, cardiologists alone are listed`() throws {
    try move(to: town.clinic, .pulmonology, doctor: employ("Dr. Elsewhere"))
    for words in ["chest+pain", "my+chest+hurts"] {
      let page = list("q=\(words)")
      #expect(page.hasRow("Dr. House") && !page.hasRow("Elsewhere"), "\(words)")
    }
    #expect(list("q=chest").hasRow("Elsewhere"))
  }

  /// Returns the address of the list without a filter.
  private func removal(of filter: String, on page: TestPage) -> String? {
    page.main.first { $0.name == "a" && $0.text == "Remove filter: \(filter) ×" }?
      .attributes["href"]
  }

  @Test func `words that say only that something hurts set a filter, which can be removed`() throws
  {
    try employ("Dr. Elsewhere")
    try move(to: town.clinic, .generalPractice)
    let page = list("q=it+hurts")
    #expect(page.hasRow("Dr. House") && !page.hasRow("Elsewhere"))
    #expect(removal(of: "General practice", on: page) == "/appointments/doctors")
    #expect(page.contains("<summary>Filters</summary>"))
    #expect(list("q=pain&specialization=cardiology").hasRow("Elsewhere"))
    #expect(list("q=pain+on+monday").hasLink("Remove filter: Monday ×"))
  }

  @Test func `doctors of the specialization come before those of a clinic of that name`() throws {
    try employ("Anna Zorn", on: 2)
    try move(to: town.clinic, .urology)
    try portal.write {
      _ = try $0.run("UPDATE appointments_clinics SET name_en = 'Heart Clinic'")
    }
    for query in ["q=heart", "q=heart+minsk", "q=heart&sort=name"] {
      let names = list(query).main.all("h3").map(\.text)
        .filter { ["Dr. House", "Anna Zorn"].contains($0) }
      #expect(names == ["Anna Zorn", "Dr. House"], "\(query)")
    }
  }

  @Test func `a list of doctors for children says so unless the words name a child`() throws {
    let general = "/appointments/doctors?specialization=general-practice"
    try employ("Anna Zorn")
    let path = try administrator.enterClinic(["name_en": "Linden", "pediatric": "yes"])
    let clinic = try #require(path.split(separator: "/").last.flatMap { ID<Clinic>(String($0)) })
    try move(to: clinic, .cardiology)
    try treat(.generalPractice)
    let heart = list("q=heart")
    #expect(heart.hasRow("Dr. House") && heart.hasNotice(.plain, "see children only"))
    #expect(heart.hasLink(to: general))
    for query in ["q=heart+kids", "q=heart&children=1", "q=house", "q=family+doctor", ""] {
      #expect(!list(query).hasNotice(.plain, "see children only"), "\(query)")
    }
    try move(to: clinic, .pediatrics)
    #expect(!list("q=pediatrician").hasNotice(.plain, "see children only"))
  }

  @Test(arguments: [
    "my heart", "I have a heart problem", "у меня есть сердце", "יש לי לב", "heart of my child",
  ])
  func `a sentence finds the doctors whom its words name`(_ words: String) {
    #expect(finds(words), "\(words)")
  }

  @Test
  func `doctors who match some words are shown with a notice, and filler words alone find nobody`()
    throws
  {
    let page = list("q=heart+zzzz")
    #expect(page.hasRow("House") && page.hasNotice(.plain, "match some of them"))
    #expect(!list("q=my+heart").contains("match some of them"))
    #expect(list("q=i+have+a").isEmptyList() && list("q=my+zzzz").isEmptyList())
  }

  @Test func `a search that finds nobody leads to general practice if there is such a doctor`()
    throws
  {
    let link = "/appointments/doctors?specialization=general-practice"
    #expect(!list("q=zzz").contains("Start with general practice"))
    try portal.write {
      _ = try $0.run("UPDATE appointments_departments SET specialization = 'general-practice'")
    }
    let page = list("q=zzz")
    #expect(page.contains("Start with general practice") && page.hasLink(to: link))
    #expect(!list("q=house").contains("Start with general practice"))
  }

  @Test func `a search finds a doctor by a spoken language in any language`() throws {
    #expect(!finds("Hebrew"))
    let fields = [
      ("doctor_name", "Dr. House"), ("doctor_department", "\(town.department)"),
      ("spoken_language", "he"), ("spoken_language", "en"),
    ]
    #expect(try administrator.submit(town.doctorPath + "/edit", pairs: fields).status == 303)
    try employ("Dr. Elsewhere")
    for (words, language) in [
      ("Hebrew", "Hebrew"), ("English speaking", "English"), ("иврит", "Hebrew"),
      ("עברית", "Hebrew"), ("speaks hebrew", "Hebrew"), ("דובר אנגלית", "English"),
      ("in Hebrew", "Hebrew"), ("на иврите", "Hebrew"), ("врач говорит на иврите", "Hebrew"),
      ("нужен врач на иврите", "Hebrew"), ("по-английски", "English"),
      ("говорящий по-английски", "English"), ("בעברית", "Hebrew"), ("רופא שמדבר אנגלית", "English"),
      ("доктор в понедельник на иврите", "Hebrew"), ("по-английски в понедельник", "English"),
    ] {
      let page = list("q=\(encoded(words))")
      #expect(page.hasRow("Dr. House") && !page.hasRow("Elsewhere"), "\(words)")
      #expect(page.hasLink("Remove filter: \(language) ×"), "\(words)")
    }
    let page = list("q=\(encoded("на иврите"))")
    #expect(removal(of: "Hebrew", on: page) == "/appointments/doctors")
    #expect(!finds("Latvian"))
  }

  @Test(arguments: [
    "chest pain", "Chest pains", "stroke", "suicide", "my father is not breathing",
    "I can’t breathe", "he is unconscious", "severe bleeding", "боль в груди", "не дышит",
    "потерял сознание", "сильное кровотечение", "כאבים בחזה", "לא נושם", "דימום חזק",
    "I want to die", "боли в груди", "болит грудь", "трудно дышать", "он не дышал", "שבץ",
  ])
  func `a search for signs of a danger to life shows how to call an ambulance`(_ words: String) {
    let page = list("q=\(encoded(words))")
    #expect(page.hasNotice(.danger) && page.hasLink(to: "tel:103"), "\(words)")
  }

  @Test func `a search that finds nobody has the ambulance's number in a quiet line`() {
    for words in ["house", "heart", "chest", "cardiologist"] {
      #expect(!list("q=\(words)").hasNotice(.danger), "\(words)")
    }
    #expect(!list("q=\(encoded("большая грудь"))").hasNotice(.danger))
    for words in ["zzz", "Saturday", "Coper", "diet", "I want to diet", "маникюр", "כלום"] {
      let page = list("q=\(encoded(words))")
      #expect(!page.hasNotice(.danger) && page.hasLink(to: "tel:103"), "\(words)")
      #expect(page.text.contains("In an emergency: Ambulance 103"), "\(words)")
    }
    #expect(!list().hasNotice(.danger) && !list().main.text.contains("In an emergency"))
    #expect(!list("available=1").hasNotice(.danger))
  }

  @Test func `a doctor's page leads back to the search that found the doctor`() throws {
    let back = portal.visitor()
    func found(_ query: String) throws -> TestPage {
      let page = back.get("/appointments/doctors?\(query)")
      let links = page.main.all("a").compactMap { $0.attributes["href"] }
      return back.get(try #require(links.first { $0.hasPrefix(town.doctorPage) }))
    }
    let heart = try found("q=heart+doctor&specialization=cardiology&sort=next&evil=1&clinic=x")
    #expect(
      heart.backLink == "/appointments/doctors?q=heart%20doctor&specialization=cardiology&sort=next"
    )
    #expect(heart.body.contains(">Back to 1 doctor</a>"))
    #expect(back.get(try #require(heart.backLink)).hasRow("Dr. House"))
    let plain = try found("")
    #expect(plain.backLink == "/appointments/doctors" && plain.body.contains("</span>Doctors</a>"))
    let gone = back.get("\(town.doctorPage)?q=zzz&page=3")
    #expect(gone.backLink == "/appointments/doctors?q=zzz&page=3")
    #expect(gone.body.contains("</span>Doctors</a>"))
    let long = back.get("\(town.doctorPage)?q=\(String(repeating: "a", count: 900))")
    #expect(long.backLink?.utf8.count ?? 0 < 300)
    let foreign = back.get("\(town.doctorPage)?specialization=%22%3E&sort=//evil.example")
    #expect(foreign.backLink == "/appointments/doctors")
  }

  @Test func `a clinic's page leads back to the list that has the clinic`() throws {
    let visitor = portal.visitor()
    let path = "/appointments/clinics/\(town.clinic)"
    func found(_ list: String) throws -> TestPage {
      let links = visitor.get(list).main.all("a").compactMap { $0.attributes["href"] }
      return visitor.get(try #require(links.first { $0.hasPrefix(path) }))
    }
    let name = try #require(visitor.get(path).heading.split(separator: " ").first)
    let doctors = try found("/appointments/doctors?q=\(name)")
    #expect(doctors.backLink == "/appointments/doctors?q=\(name)")
    let clinics = try found("/appointments/clinics?q=\(name)&evil=1")
    #expect(clinics.backLink == "/appointments/clinics?q=\(name)")
    #expect(clinics.body.contains(">Back to 1 clinic</a>"))
    #expect(try found("/appointments/clinics").backLink == "/appointments/clinics")
  }

  @Test func `doctors for children are marked in the lists, on their page and before booking`()
    throws
  {
    let page = "/appointments/doctors/\(town.doctor)"
    let booking = "/appointments/book?doctor=\(town.doctor)&date=2026-05-05&time=09:00"
    let specialists = "/appointments/new?specialization=cardiology"
    let anna = try portal.register()
    for path in ["/appointments/doctors", page, specialists, booking] {
      #expect(!anna.get(path).contains("For children</span>"), "\(path)")
    }
    try portal.write {
      _ = try $0.run("UPDATE appointments_clinics SET pediatric = 1")
    }
    for path in ["/appointments/doctors", page, specialists, booking] {
      #expect(anna.get(path).contains("For children</span>"), "\(path)")
    }
  }

  @Test(arguments: ["Dr House", "doctor house", "Prof. House", "врач House", "ד״ר House"])
  func `a title before a doctor's name is not searched`(_ words: String) {
    #expect(finds(words) && !finds(words + " xyzzy"))
  }

  @Test func `everyday words for one specialization find no others at a clinic of that name`()
    throws
  {
    let other = try employ("Dr. Elsewhere")
    try portal.write { connection in
      try connection.run("UPDATE appointments_clinics SET name_en = 'Heart Clinic'")
      let department = try Department.insert(.urology, into: town.clinic, in: connection)
      try connection.run(
        "UPDATE appointments_doctors SET department = \(department) WHERE id_doctor = \(other)")
    }
    #expect(list("q=heart+doctor").hasRow("House") && !list("q=heart+doctor").hasRow("Elsewhere"))
    #expect(list("q=heart").hasRow("Elsewhere") && list("q=heart+urologist").hasRow("Elsewhere"))
  }

  @Test func `a word for children finds all doctors of a clinic for children`() throws {
    #expect(!finds("ילדים", .hebrew) && !finds("дети", .russian))
    try portal.write {
      _ = try $0.run("UPDATE appointments_clinics SET pediatric = 1")
    }
    #expect(finds("ילדים", .hebrew) && finds("дети", .russian) && finds("kids"))
  }

  @Test func `each specialization has everyday words in each language, which a search reads whole`()
    throws
  {
    let words = try Phrasebook(AppointmentsModule().catalog)
    for specialization in Specialization.allCases {
      let text = specialization.searchText(words.string)
      #expect(text.string.unicodeScalars.count < 1_000, "\(specialization)")
      #expect(!text.string.contains("⟦"), "\(specialization)")
    }
  }

  @Test func `a search without a result offers the specializations of listed doctors`() {
    #expect(list("q=zzz").hasLink(to: "/appointments/doctors?specialization=cardiology"))
    #expect(!list("q=zzz").hasLink(to: "/appointments/doctors?specialization=surgery"))
  }

  @Test func `while nobody is free now, the list shows the free times later today`() throws {
    let page = list("available=1&q=house")
    #expect(page.hasNotice(.plain) && !page.isEmptyList() && page.hasRow("Dr. House"))
    #expect(page.hasLink(with: "date=2026-05-04&time="))
    #expect(page.hasLink(to: "/appointments/doctors?q=house&page=1"))
    // Saturday: the doctor has no times today.
    portal.now = TestPortal.start + .days(5)
    let weekend = list("available=1")
    #expect(weekend.isEmptyList() && !weekend.hasRow("Dr. House"))
  }

  @Test func `a search with invalid, long or hostile words is answered`() {
    let long = encoded(String(repeating: "a\u{301} ", count: 300))
    for words in [encoded("<script>\"'"), long, "%F0%9F%A6%B4", "%2D%27"] {
      let page = list("q=\(words)")
      #expect(page.status == 200 && !page.contains("<script>\""), "\(words.prefix(20))")
    }
    #expect(list("q=%20%20").hasRow("Dr. House"))
  }

  @Test func `matching clinics are listed before the doctors`() throws {
    let page = list("q=first")
    #expect(page.sections == ["Clinics", "Doctors"])
    #expect(page.hasLink(with: "/appointments/clinics/\(town.clinic)?q=first"))
    #expect(page.rows.first?.contains("First Clinic") == true)
    #expect(list("q=house").sections == ["Dr. House"])
  }

  @Test func `only specializations and clinics of listed doctors are offered`() throws {
    _ = try administrator.submit(
      town.clinicPath + "/departments/new", ["specialization": "surgery"])
    #expect(list().choices(of: "specialization") == ["", "cardiology"])
    #expect(list().choices(of: "clinic") == ["", "\(town.clinic)"])
    let clinics = portal.visitor().get("/appointments/clinics")
    #expect(clinics.choices(of: "specialization") == ["", "cardiology", "surgery"])
  }

  @Test func `a doctor without working hours ahead is not listed, but has a page`() throws {
    let idle = try employ("Dr. Idle", on: nil)
    let clinic = "/appointments/clinics/\(town.clinic)"
    #expect(!list().hasRow("Dr. Idle") && !portal.visitor().get(clinic).contains("Dr. Idle"))
    #expect(portal.visitor().get("/appointments/doctors/\(idle)").status == 200)
    let extra = [
      "exception": "extra", "first_day": "2026-05-09", "starts": "09:00", "ends": "10:00",
    ]
    let page = "/appointments/admin/doctors/\(idle)/exceptions/new"
    #expect(try administrator.submit(page, extra).status == 303)
    #expect(list().hasRow("Dr. Idle") && portal.visitor().get(clinic).contains("Dr. Idle"))
    portal.now = TestPortal.start + .days(10)
    #expect(!list().hasRow("Dr. Idle"))
  }

  @Test func `doctors are listed by surname, with its initial, or by their next free time`() throws
  {
    try employ("Anna Zorn", on: 2)
    try employ("Zoe Abel", on: 3)
    try employ("Иванова Анна Петровна", on: 4)
    func names(_ page: TestPage) -> [String] {
      ["House", "Zorn", "Abel", "Иванова"].sorted { one, other in
        let places = [one, other].map { name in page.rows.firstIndex { $0.contains(name) } ?? -1 }
        return places[0] < places[1]
      }
    }
    #expect(names(list("sort=name")) == ["Abel", "House", "Zorn", "Иванова"])
    #expect(names(list("sort=name", .russian)).first == "Иванова")
    #expect(names(list()) == ["House", "Zorn", "Abel", "Иванова"])
    #expect(list().contains("aria-hidden=\"true\">AZ</span>"))
    #expect(list("", .russian).contains("aria-hidden=\"true\">ИА</span>"))
  }

  @Test func `a row links the next free times of three days to their booking`() throws {
    let page = list()
    func link(_ date: String, _ time: String) -> Bool {
      page.hasLink(
        to:
          "/appointments/book?doctor=\(town.doctor)&date=\(date)&time=\(time.replacing(":", with: "%3A"))"
      )
        || page.hasLink(to: "/appointments/book?doctor=\(town.doctor)&date=\(date)&time=\(time)")
    }
    // It is Monday, 12:00, in Minsk, and the doctor has a break from 13:00 to 14:00.
    #expect(
      link("2026-05-04", "12:10") && link("2026-05-04", "12:20") && link("2026-05-04", "12:30"))
    #expect(!link("2026-05-04", "12:00") && !link("2026-05-04", "12:40"))
    #expect(link("2026-05-05", "09:00") && link("2026-05-06", "09:20"))
    #expect(!link("2026-05-07", "09:00"))
    #expect(page.hasLink(to: "/appointments/book?doctor=\(town.doctor)&date=2026-05-04"))
    try town.book(try portal.register(), "2026-05-05", "09:00")
    #expect(!list().hasLink(with: "date=2026-05-05&time=09%3A00"))
    #expect(!list().hasLink(with: "date=2026-05-05&time=09:00"))
  }

  @Test func `a list of more than fifteen doctors has pages`() throws {
    for number in 1...21 { try employ("Dr. Number\(number)") }
    #expect(list().rows.count == 15 && list().hasLink(with: "page=2"))
    #expect(list().text.contains("22 doctors · earliest free time first"))
    #expect(list("page=2").rows.count == 7)
    #expect(list("sort=next&page=2").hasLink(with: "sort=next&page=1"))
  }

  /// Adds doctors who work as the doctor of the town does, without the cost of accounts.
  private func employ(_ count: Int) throws {
    let people = try town.people(count)
    try portal.write { connection in
      for (number, person) in people.enumerated() {
        try town.insertDoctor("Dr. N\(number)", person, on: connection)
      }
      try connection.run(
        """
        INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
        SELECT id_doctor, 5, 540, 600, 'work' FROM appointments_doctors
        WHERE id_doctor <> \(town.doctor)
        """)
    }
  }

  @Test func `more doctors than can be sorted by free time are listed by surname, with a notice`()
    throws
  {
    try employ(FoundDoctors.mostSorted)
    let unsorted = list("specialization=cardiology")
    #expect(unsorted.status == 200 && unsorted.hasNotice(.plain))
    #expect(unsorted.rows == list().rows && !list().hasNotice(.plain))
    #expect(list().text.contains("sorted by surname"))
    #expect(!list("q=house").hasNotice(.plain))
    try portal.write { connection in
      try connection.run(
        """
        UPDATE appointments_doctors SET disabled_at = 1
        WHERE id_doctor = (SELECT max(id_doctor) FROM appointments_doctors)
        """)
    }
    let sorted = list("specialization=cardiology")
    #expect(sorted.rows.first?.contains("House") == true && !sorted.hasNotice(.plain))
  }

  @Test func `the doctors of a specialization have pages`() throws {
    try employ(21)
    let anna = try portal.register()
    let first = anna.get("/appointments/new?specialization=cardiology&clinic=\(town.clinic)")
    #expect(first.rows.count == 20)
    let link = "/appointments/new?specialization=cardiology&clinic=\(town.clinic)&page=2"
    #expect(first.hasLink(to: link) && anna.get(link).rows.count == 2)
  }

  @Test(arguments: [
    "day=6", "on=2026-05-09", "q=saturday", "q=heart+doctor+on+Saturdays", "q=в+субботу",
    "q=רופא+לב+בשבת", "day=weekend", "q=weekend", "q=heart+doctor+at+the+weekend", "q=в+выходные",
    "q=בסוף+השבוע",
  ])
  func `a search for a day finds the doctors with a free time on it`(_ query: String) throws {
    try employ("Anna Zorn", on: 6)
    let allowed = CharacterSet(charactersIn: "=+-").union(.alphanumerics)
    let page = list(query.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    #expect(page.hasRow("Anna Zorn") && !page.hasRow("Dr. House"), "\(query)")
    #expect(page.hasLink(with: "date=2026-05-09&time=") && page.contains("1 doctor"), "\(query)")
  }

  @Test func `an understood day stays when the other words find nothing`() throws {
    try employ("Anna Zorn", on: 6)
    let page = list("q=saturday+xyzzy")
    #expect(page.hasRow("Anna Zorn") && !page.hasRow("Dr. House"))
    #expect(page.contains("No doctor matches all these words"))
    #expect(list("q=xyzzy").isEmptyList())
  }

  @Test func `on a day without free times, the list has the nearest ones on other days`() throws {
    let saturday = list("day=6")
    #expect(!saturday.isEmptyList() && saturday.sections.first == "Next free times")
    #expect(saturday.hasNotice(.plain, "No clinic is open on Saturdays"))
    #expect(saturday.hasRow("Dr. House") && saturday.hasLink(with: "date=2026-05-04&time="))
    #expect(saturday.hasLink(to: "tel:103") && saturday.hasLink(to: "/appointments/doctors"))
    try employ("Anna Zorn", on: 6)
    let house = list("day=6&q=house")
    #expect(house.hasNotice(.plain, "No free times: Saturday") && house.hasRow("Dr. House"))
    #expect(list("on=2026-05-03").hasRow("Dr. House") && list("day=x&on=y").hasRow("Zorn"))
    #expect(list("q=zzz&day=6").isEmptyList())
  }

  @Test func `a search for a day includes today, tomorrow and the next seven days`() throws {
    try employ("Anna Zorn", on: 3)
    #expect(list("day=today").hasRow("House") && !list("day=today").hasRow("Zorn"))
    #expect(list("q=tomorrow").hasRow("House") && !list("q=tomorrow").hasRow("Zorn"))
    #expect(list("day=week").hasRow("House") && list("day=week").hasRow("Zorn"))
  }

  @Test func `the list has filters for a language and for children`() throws {
    // The last three are the languages of the portal, at the foot of the page.
    func languages() -> [String] { Array(list().choices(of: "language").dropLast(3)) }
    #expect(languages() == [""])
    let fields = [
      ("doctor_name", "Dr. House"), ("doctor_department", "\(town.department)"),
      ("spoken_language", "he"),
    ]
    #expect(try administrator.submit(town.doctorPath + "/edit", pairs: fields).status == 303)
    try employ("Anna Zorn")
    #expect(languages() == ["", "he"])
    #expect(list("language=he").hasRow("House") && !list("language=he").hasRow("Zorn"))
    #expect(list("language=fr").isEmptyList() && list("language=xx").hasRow("Zorn"))
    #expect(list("children=1").isEmptyList())
    try portal.write {
      _ = try $0.run("UPDATE appointments_clinics SET pediatric = 1")
    }
    #expect(list("children=1").hasRow("House"))
    #expect(list("q=kids+doctor+who+speaks+hebrew+on+monday").hasRow("House"))
  }

  @Test func `a doctor whose name is that of a language or a day is found by name`() throws {
    let fields = [
      ("doctor_name", "Dr. House"), ("doctor_department", "\(town.department)"),
      ("spoken_language", "de"),
    ]
    #expect(try administrator.submit(town.doctorPath + "/edit", pairs: fields).status == 303)
    try employ("Edward German", on: 2)
    #expect(list("q=german").hasRow("Edward German") && list("q=german").hasRow("Dr. House"))
    #expect(list("q=edward+german").rows.count == 1)
  }

  @Test func `set filters are counted and can be removed one by one`() throws {
    let page = list("q=house+monday&specialization=cardiology&day=today&available=1")
    #expect(page.contains("<summary>Filters (3)</summary>"))
    #expect(
      page.hasLink(to: "/appointments/doctors?q=house%20monday&available=1&day=today"))
    #expect(
      page.hasLink(
        to: "/appointments/doctors?q=house%20monday&specialization=cardiology&day=today"))
    let typed = list("q=House+on+Monday")
    #expect(
      typed.contains("<summary>Filters</summary>") && typed.hasLink("Remove filter: Monday ×"))
    #expect(typed.hasLink(to: "/appointments/doctors?q=house%20on"))
    #expect(!list().contains("Remove filter"))
    let clinics = portal.visitor().get("/appointments/clinics?hospital=1&pediatric=1")
    #expect(clinics.contains("<summary>Filters (2)</summary>"))
    #expect(clinics.hasLink(to: "/appointments/clinics?hospital=1"))
  }

  @Test func `doctors who match words or a specialization are sorted by their next free time`()
    throws
  {
    try employ("Anna Zorn", on: 2)
    try employ("Zoe Abel", on: 3)
    func first(_ query: String) -> [String] {
      list(query).main.all { $0.name == "h2" || $0.name == "h3" }.map(\.text)
        .filter { ["Dr. House", "Anna Zorn", "Zoe Abel"].contains($0) }
    }
    for query in [
      "q=cardiologist", "specialization=cardiology", "day=week", "clinic=\(town.clinic)",
    ] {
      #expect(first(query) == ["Dr. House", "Anna Zorn", "Zoe Abel"], "\(query)")
      #expect(first(query + "&sort=name") == ["Zoe Abel", "Dr. House", "Anna Zorn"], "\(query)")
    }
    #expect(list("q=cardiologist&sort=name").hasLink(with: "&sort=name"))
  }

  @Test func `doctors for children come after the others unless the words name a child`() throws {
    try employ("Anna Zorn", on: 2)
    let path = try administrator.enterClinic(["name_en": "Linden", "pediatric": "yes"])
    let clinic = try #require(path.split(separator: "/").last.flatMap { ID<Clinic>(String($0)) })
    try portal.write { connection in
      let department = try Department.insert(.cardiology, into: clinic, in: connection)
      try connection.run(
        """
        UPDATE appointments_doctors SET department = \(department) WHERE id_doctor = \(town.doctor)
        """)
    }
    func first(_ query: String) -> String? {
      list(query).main.all { $0.name == "h2" || $0.name == "h3" }.map(\.text)
        .first { ["Dr. House", "Anna Zorn"].contains($0) }
    }
    #expect(first("q=cardiologist") == "Anna Zorn")
    #expect(first("q=cardiologist+for+kids") == "Dr. House")
    #expect(first("specialization=cardiology") == "Dr. House")
  }

  @Test func `a screen reader hears the day and the doctor with each time`() throws {
    for page in [list(), portal.visitor().get("/appointments/doctors/\(town.doctor)")] {
      #expect(page.hasLink("Today, Dr. House, 12:10") && page.hasLink("Today, Dr. House, 12:20"))
      #expect(page.contains("more times, Tomorrow, Dr. House</span>"))
    }
  }

  @Test func `doctors are listed with their distance from the visitor's town`() throws {
    let anna = try portal.register(["city": "Brest"])
    let list = anna.get("/appointments/doctors")
    #expect(list.hasRow(" km") && list.text.contains("from the centre of Brest"))
    #expect(!portal.visitor().get("/appointments/doctors").hasRow(" km"))
  }

  @Test func `a visitor sees the distances from a town that they name`() throws {
    let named = list("near=Brest")
    #expect(named.hasRow(" km") && named.text.contains("from the centre of Brest"))
    #expect(named.hasLink("Remove filter: from Brest ×"))
    let row = try #require(
      named.main.all("a").compactMap { $0.attributes["href"] }.first {
        $0.hasPrefix(town.doctorPage)
      })
    #expect(row.contains("near=Brest"))
    let unknown = list("near=Xyzzy%3Cb%3E")
    #expect(unknown.text.contains("No town with the name “Xyzzy<b>” was found"))
    #expect(!unknown.hasRow(" km") && unknown.hasRow("Dr. House"))
    let anna = try portal.register(["city": "Minsk"])
    #expect(anna.get("/appointments/doctors?near=Brest").text.contains("from the centre of Brest"))
  }

  @Test func `a doctor's page has one main button, which books the next free time`() throws {
    let page = portal.visitor().get("/appointments/doctors/\(town.doctor)")
    #expect(page.hasLink("Book: today 12:10"))
    #expect(page.main.all { $0.attributes["class"] == "button" }.count == 1)
    portal.now = TestPortal.start + .days(5)
    let weekend = portal.visitor().get("/appointments/doctors/\(town.doctor)")
    #expect(weekend.hasLink("Book: Mon, 11 May, 09:00"))
  }

  @Test func `a doctor's page shows the next free times by day and all others`() throws {
    let page = portal.visitor().get("/appointments/doctors/\(town.doctor)")
    #expect(page.hasSection("Next free times"))
    #expect(page.hasLink(to: "/appointments/book?doctor=\(town.doctor)"))
    #expect(page.hasLink(with: "date=2026-05-08&time="))
    try portal.write { try $0.run("DELETE FROM appointments_hours") }
    let idle = portal.visitor().get("/appointments/doctors/\(town.doctor)")
    #expect(!idle.hasLink(with: "&time="))
  }
}
