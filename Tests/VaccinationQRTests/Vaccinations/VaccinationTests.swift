import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import VaccinationQR

@Suite struct VaccinationTests {
  private let portal: TestPortal
  private let anna: TestVisitor
  private let new = "/vaccination-qr/record/new"
  private let tetanus = [
    "vaccine": "Td-pur", "disease": "Tetanus", "date": "2026-05-01", "batch": "A1B2",
    "given_by": "Dr. Weber", "next_due": "2036-05-01",
  ]

  init() throws {
    portal = try TestPortal(VaccinationQRModule())
    anna = try portal.register()
  }

  /// Sends the form again after its questions, with the same values.
  private func confirm(_ asked: TestPage, _ fields: [String: String]) -> TestPage {
    anna.post(new, pairs: asked.hidden(of: new) + fields.map { ($0.key, $0.value) })
  }

  @Test func `a vaccination is kept with its batch and the next due date`() throws {
    let added = try anna.submit("/vaccination-qr/record/new", tetanus)
    let page = anna.get(added.location)
    for text in ["Td-pur", "Tetanus", "1 May 2026", "A1B2", "Dr. Weber", "1 May 2036"] {
      #expect(page.contains(text))
    }
    #expect(anna.get("/vaccination-qr/record").hasRow("next due 1 May 2036"))
  }

  @Test func `a known vaccine proposes the next date, which one press enters`() throws {
    let fields = ["vaccine": "Tick-borne encephalitis", "date": "2026-05-01", "dose": "2"]
    let path = try anna.submit(new, fields).location
    let page = anna.get(path)
    #expect(page.hasNotice(.plain, "1 February 2027") && page.fact("Next due") == nil)
    #expect(anna.press(path + "/next", on: path).location == path)
    let entered = anna.get(path)
    #expect(entered.fact("Next due") == "1 February 2027" && !entered.hasNotice(.plain))
    let boris = try portal.register()
    #expect(boris.post(path + "/next", pairs: []).status != 303)
  }

  @Test func `vaccinations that are due soon stand first, with the days until then`() throws {
    let list = "/vaccination-qr/record"
    let due = tetanus.merging(["date": "2026-01-04", "next_due": "2026-05-22"]) { $1 }
    let path = try anna.submit(new, due.merging(["label": "Theo"]) { $1 }).location
    _ = try anna.submit(new, ["vaccine": "Influenza", "date": "2025-09-01"])
    let page = anna.get(list)
    #expect(page.sections == ["Due soon", "Your vaccinations", "Theo"])
    #expect(page.rows[0].contains("Theo") && page.rows[0].contains("22 May 2026"))
    #expect(page.rows[0].contains("in 18 days"))
    #expect(page.rows[1].contains("next due about 1 September 2026 (usual schedule)"))
    #expect(page.rows.count == 4 && page.rows[3].contains("next due 22 May 2026"))
    #expect(anna.get("/").hasLink(to: path) && anna.get("/").hasBadge("in 18 days"))
  }

  @Test(arguments: [("2026-06-03", true), ("2026-06-04", false), ("2026-05-03", true)])
  func `a vaccination due within a month stands out, and to add another one does not`(
    _ nextDue: String, _ isPressing: Bool
  ) throws {
    let late = tetanus.merging(["date": "2026-01-04", "next_due": nextDue]) { $1 }
    #expect(try anna.submit(new, late).status == 303)
    let page = anna.get("/vaccination-qr/record")
    #expect((page.main.first { $0.hasClass("kind-due") } != nil) == isPressing)
    let add = try #require(page.main.first { $0.attributes["href"] == new })
    #expect(add.hasClass("secondary") == isPressing)
  }

  @Test func `a proposed date stays in the record until it is dismissed`() throws {
    let list = "/vaccination-qr/record"
    let fields = ["vaccine": "Tick-borne encephalitis", "date": "2026-05-01", "dose": "2"]
    let path = try anna.submit(new, fields).location
    #expect(anna.get(list).hasRow("next due about 1 February 2027 (usual schedule)"))
    #expect(anna.press(path + "/last", on: path).location == path)
    #expect(!anna.get(path).hasNotice(.plain))
    #expect(anna.get(path).fact("Next due") == "No further dose is due")
    #expect(!anna.get(list).hasRow("1 February 2027"))
  }

  @Test func `the vaccinations of each person stand together, under their names`() throws {
    let list = "/vaccination-qr/record"
    _ = try anna.submit(new, tetanus)
    #expect(anna.get(list).sections.isEmpty)
    for (label, date) in [("Theo", "2026-05-02"), ("Mia", "2026-05-03"), ("Theo", "2025-05-03")] {
      _ = try anna.submit(new, ["vaccine": "Influenza", "date": date, "label": label])
    }
    let page = anna.get(list)
    #expect(page.sections == ["Your vaccinations", "Mia", "Theo"])
    #expect(page.rows.count == 4 && page.rows[0].contains("Td-pur"))
    #expect(page.rows[2].contains("2 May 2026") && page.rows[3].contains("3 May 2025"))
  }

  @Test func `a vaccination that a later one has followed proposes no date`() throws {
    let flu = ["vaccine": "Influenza", "date": "2024-10-01"]
    let path = try anna.submit(new, flu).location
    #expect(anna.get(path).hasNotice(.plain, "1 October 2025"))
    _ = try anna.submit(new, flu.merging(["date": "2025-10-02"]) { $1 })
    #expect(!anna.get(path).hasNotice(.plain))
  }

  @Test(
    arguments: [
      ("Столбняк и дифтерия", "", nil, "2036-01-31"),
      ("FSME", "tick-borne ENCEPHALITIS", 1, "2026-02-28"),
      ("Rabies", "", 1, "2026-02-07"), ("Hepatitis B", "", 3, nil), ("Polio", "", 1, nil),
      ("Td-pur", "", 1, nil),
    ] as [(String, String, Int?, String?)])
  func `the next date follows from the vaccine and its dose`(
    _ vaccine: String, _ disease: String, _ dose: Int?, _ next: String?
  ) throws {
    let vaccination = Vaccination(
      vaccine: vaccine, disease: disease, date: CalendarDate("2026-01-31"), dose: dose)
    let day = UsualVaccine.find(for: vaccination)?.nextDay(after: vaccination)
    #expect(day?.description == next)
  }

  @Test(arguments: Language.allCases)
  func `the form suggests the usual vaccines in the reader's language`(
    _ language: Language
  ) throws {
    let form = try portal.register(language: language).get(new)
    let options = form.main.all("option").compactMap { $0.attributes["value"] }
    for usual in UsualVaccine.all { #expect(options.contains(usual.name.words(in: language))) }
  }

  @Test func `a vaccination in the future, or with a due date before it, is refused`() throws {
    let early = tetanus.merging(["next_due": "2026-04-01"]) { $1 }
    #expect(try anna.submit("/vaccination-qr/record/new", early).refuses("next_due"))
    let future = tetanus.merging(["date": "2035-01-01"]) { $1 }
    #expect(try anna.submit("/vaccination-qr/record/new", future).refuses("date"))
    let more = future.merging(["vaccine": "", "dose": "first"]) { $1 }
    let answer = try anna.submit("/vaccination-qr/record/new", more)
    for field in ["date", "vaccine", "dose"] { #expect(answer.refuses(field), "\(field)") }
    #expect(answer.error(of: "dose")?.contains("such as 1") == true)
  }

  @Test func `an overdue vaccination is marked until a later one is recorded`() throws {
    let late = tetanus.merging(["date": "2020-01-01", "next_due": "2026-05-03", "remind": "yes"]) {
      $1
    }
    let asked = try anna.submit(new, late)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "This date has passed"))
    let added = confirm(asked, late)
    let list = "/vaccination-qr/record"
    #expect(anna.get(list).hasBadge("Overdue") && anna.get(added.location).hasBadge("Overdue"))
    #expect(anna.get(added.location).fact("Remind me") == nil)
    #expect(anna.get("/").hasLink(to: added.location) && anna.get("/").hasBadge("Overdue"))
    try portal.runJobs()
    #expect(portal.notified(anna, "The vaccination “Tetanus” is overdue."))
    #expect(!portal.notified(anna, "is due by"))
    _ = try anna.submit("/vaccination-qr/record/new", tetanus)
    #expect(!anna.get(list).hasBadge("Overdue"))
    #expect(!anna.get(added.location).hasBadge("Overdue"))
    #expect(!anna.get("/").hasLink(to: added.location))
  }

  @Test func `a past due date without a reminder is saved without a question`() throws {
    let late = tetanus.merging(["date": "2020-01-01", "next_due": "2026-05-03"]) { $1 }
    #expect(try anna.submit(new, late).status == 303)
  }

  @Test func `a due date more than sixty years after the vaccination is questioned once`() throws {
    let far = tetanus.merging(["next_due": "2336-05-01"]) { $1 }
    let asked = try anna.submit(new, far)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "more than 60 years"))
    #expect(confirm(asked, far).status == 303)
  }

  @Test func `a date before one's own birth is questioned, and another person's is not`() throws {
    let vera = try portal.register(["birth_date": "2020-02-13"])
    let early = tetanus.merging(["date": "2019-01-01"]) { $1 }
    let asked = try vera.submit(new, early)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "date of birth"))
    #expect(try vera.submit(new, early.merging(["label": "Mother"]) { $1 }).status == 303)
  }

  @Test
  func `the same vaccination is questioned when it is added again, and not when it is edited`()
    throws
  {
    let path = try anna.submit(new, tetanus).location
    let asked = try anna.submit(new, tetanus)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "already has this vaccine"))
    #expect(try anna.submit(path + "/edit", tetanus).status == 303)
    #expect(try anna.submit(new, tetanus.merging(["label": "Mother"]) { $1 }).status == 303)
    #expect(confirm(asked, tetanus).status == 303)
  }

  @Test func `a requested reminder is sent within a month of the due date and not earlier`() throws
  {
    _ = try anna.submit("/vaccination-qr/record/new", tetanus)
    let flu = ["vaccine": "Flu", "date": "2026-05-01", "next_due": "2026-10-01", "remind": "yes"]
    _ = try anna.submit("/vaccination-qr/record/new", flu)
    _ = try anna.submit("/vaccination-qr/record/new", flu.merging(["label": "Theo"]) { $1 })
    try portal.runJobs()
    #expect(!portal.notified(anna, "is due by"))
    portal.now = portal.now + Seconds.days(125)
    try portal.runJobs()
    _ = try anna.signIn(anna.login)
    #expect(portal.notified(anna, "The vaccination “Flu” is due by 1 October 2026."))
    #expect(portal.notified(anna, "Theo: the vaccination “Flu” is due by 1 October 2026."))
  }

  @Test func `a reminder of a record that cannot be read says that a vaccination is due`() throws {
    let flu = ["vaccine": "Flu", "date": "2026-05-01", "next_due": "2026-06-01", "remind": "yes"]
    _ = try anna.submit("/vaccination-qr/record/new", flu)
    let damaged = [UInt8](repeating: 0, count: 64)
    try portal.write {
      try $0.run("UPDATE vaccination_qr_vaccinations SET sealed = \(damaged)")
    }
    try portal.runJobs()
    #expect(portal.notified(anna, "A vaccination is due by 1 June 2026."))
  }
}
