import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

@Suite struct BloodPressureTests {
  private let new = "/health-metrics/blood-pressure/new"

  @Test func `a reading is shown without a class, which only averages have`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = try anna.measure(128, 76, ["pulse": "64", "arm": "left", "note": "calm"])
    let page = anna.get(path)
    for text in ["128/76", "64", "Left", "calm", "2024 ESC", "not a diagnosis"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.badges.isEmpty && !page.contains("pulse 64"))
    #expect(anna.get(new).contains("value=\"left\" selected"))
    let high = anna.get(try anna.measure(136, 76))
    #expect(high.badges == ["▲ High"] && high.contains("High (▲): 135/85 and higher"))
  }

  @Test func `advice is shown above 180 or 120`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    #expect(!anna.get(try anna.measure(180, 120)).contains("Stay calm"))
    #expect(anna.get(try anna.measure(181, 90)).hasNotice(.warning, "Stay calm"))
    #expect(anna.get(try anna.measure(150, 121)).hasNotice(.warning, "Stay calm"))
  }

  @Test func `a high reading leads to a week of readings, and calls nobody`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for (systolic, diastolic) in [(140, 80), (125, 90), (180, 120)] {
      let page = anna.get(try anna.measure(systolic, diastolic))
      #expect(page.hasNotice(.warning, "This reading is high"))
      #expect(page.hasLink(to: "/health-metrics/home-week") && !page.hasLink(with: "tel:"))
    }
    #expect(!anna.get(try anna.measure(134, 84)).hasNotice(.warning))
  }

  @Test func `a low reading is called low in every scheme, with the signs that need help`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for (systolic, diastolic) in [(89, 65), (105, 59)] {
      let page = anna.get(try anna.measure(systolic, diastolic))
      #expect(page.hasBadge("Low") && page.hasNotice(.warning, "This reading is low"))
    }
    #expect(!anna.get(try anna.measure(90, 60)).hasBadge("Low"))
  }

  @Test func `a very high reading calls an ambulance, and leads to another reading`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let severe = anna.get(try anna.measure(186, 124))
    #expect(severe.hasLink(to: "tel:103") && severe.hasLink(to: new))
    let edit = try #require(
      severe.main.first { $0.attributes["href"]?.hasSuffix("/edit") == true })
    #expect(edit.hasClass("secondary"))
    let usual = anna.get(try anna.measure(120, 80))
    #expect(!usual.hasLink(with: "tel:"))
  }

  @Test func `the page of a reading begins with its values, and leads to the next one`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    func next(after path: String) -> String? {
      let links = anna.get(path).main.all { $0.attributes["href"] == new }
      return links.first { !$0.hasClass("secondary") }?.text
    }
    let now = "2026-05-04T11:58"
    let page = anna.get(try anna.measure(136, 76, at: now))
    #expect(page.heading == "Blood pressure: 136/76 mmHg ▲ High")
    #expect(next(after: try anna.measure(120, 80, at: now)) == "Log another reading")
    #expect(next(after: try anna.measure(150, 95, at: now)) == "Measure again")
    #expect(next(after: try anna.measure(150, 95, at: "2026-05-04T08:00")) == "Log another reading")
    #expect(next(after: try anna.measure(186, 124, at: now)) == nil)
  }

  @Test func `the first of two readings leads to the second`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let first = anna.get(try anna.measure(120, 80, at: "2026-05-04T11:56"))
    #expect(first.contains("Second reading"))
    let second = anna.get(try anna.measure(121, 80, at: "2026-05-04T11:58"))
    #expect(!second.contains("Second reading") && second.contains("Log another reading"))
  }

  @Test func `the page after a very high reading begins with what to do, and praises nothing`()
    throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let page = anna.get(try anna.measure(186, 124))
    #expect(!page.hasNotice(.success))
    let advice = try #require(page.main.first { $0.hasClass("advice") })
    let links = advice.all { $0.name == "a" }.compactMap { $0.attributes["href"] }
    #expect(links == ["tel:103", new])
    #expect(advice.all { $0.name == "p" }.first?.text.contains("chest pain") == true)
    #expect(anna.get(try anna.measure(120, 80)).hasNotice(.success, "The reading was saved."))
  }

  @Test func `the advice on a very high reading calls the person's clinic by its name`() throws {
    let portal = try TestPortal(HealthMetricsModule(), KnownClinic())
    for (language, words) in [
      (Language.english, "Call First Clinic: +375 17 000"),
      (.russian, "Позвонить: Первая клиника, +375 17 000"),
    ] {
      let visitor = try portal.register(language: language)
      let page = visitor.get(try visitor.measure(186, 124))
      #expect(page.hasLink(to: "tel:+37517000") && page.text.contains(words))
    }
  }

  @Test func `the form for another reading shows the advice for a very high one`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    for (systolic, diastolic, minute) in [(190, 125, 50), (195, 128, 55)] {
      let form = anna.get(
        try anna.measure(systolic, diastolic, at: "2026-05-04T11:\(minute)", ["again": ""]))
      #expect(form.hasNotice(.warning, "This reading is very high") && form.hasBadge("Very high"))
      #expect(form.contains("\(systolic)/\(diastolic)") && form.hasLink(to: "tel:103"))
      #expect(form.value(of: "systolic") == "")
    }
    // A form with an error keeps the advice.
    let refused = try anna.submit(new, ["systolic": "", "diastolic": "80"])
    #expect(refused.refuses("systolic") && refused.hasLink(to: "tel:103"))
    let usual = anna.get(try anna.measure(128, 76, at: "2026-05-04T11:58", ["again": ""]))
    #expect(!usual.hasNotice(.warning) && !usual.hasLink(with: "tel:"))
  }

  @Test func `the page of a very high reading and the next form have the same advice`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    func advice(_ page: TestPage) -> [String]? {
      page.main.first { $0.hasClass("advice") }?.all { $0.name == "p" }.map(\.text)
    }
    let page = anna.get(try anna.measure(191, 126, at: "2026-05-04T11:55"))
    let form = anna.get(new)
    #expect(page.hasLink(to: "tel:103") && advice(page)?.count == 3 && advice(page) == advice(form))
    // The form is itself the place to enter another reading.
    #expect(page.hasLink(to: new) && !form.hasLink(to: new))
  }

  @Test func `the form is for the second reading for some minutes after the first`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let second = "for the second reading"
    #expect(!anna.get(new).contains(second))
    let path = try anna.measure(120, 80, at: "2026-05-04T11:50")
    #expect(anna.get(new).contains(second))
    _ = try anna.submit(path + "/delete", [:])
    #expect(!anna.get(new).contains(second))
    _ = try anna.measure(121, 80, at: "2026-05-04T11:50")
    let boris = try portal.register()
    #expect(!boris.get(new).contains(second))
    _ = try anna.measure(122, 80, at: "2026-05-04T11:55")
    #expect(!anna.get(new).contains(second) && anna.get(new).contains("122/80"))
    portal.now = portal.now + .minutes(10)
    #expect(anna.get(new).contains(second) && anna.get(new).contains("122/80"))
    portal.now = portal.now + .minutes(1)
    #expect(!anna.get(new).contains("122/80"))
  }

  @Test(arguments: ["2026-02-10T20:00", "2026-05-03T20:00", "2026-05-04T11:44"])
  func `an earlier reading that is saved now changes neither the time of the form nor its words`(
    _ time: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let form = anna.get(try anna.measure(131, 82, at: time, ["again": ""]))
    #expect(form.hasValue("2026-05-04T12:00", of: "measured_at"))
    #expect(!form.contains("131/82") && !form.contains("for the second reading"))
  }

  @Test func `imported readings do not change the time of the form`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "date,sys,dia\n2026-01-10 07:30,133,79\n2026-01-11 07:30,191,126\n"
    let sent = anna.upload(
      "/health-metrics/blood-pressure/import", "file", Array(text.utf8), named: "file.csv", [:])
    #expect(try anna.submit(sent.location, [:]).location.hasSuffix("?imported=2"))
    let form = anna.get(new)
    #expect(form.hasValue("2026-05-04T12:00", of: "measured_at"))
    #expect(!form.contains("191/126") && !form.hasNotice(.warning))
  }

  @Test(arguments: [
    ("systolic", "80", "diastolic"), ("systolic", "1e309", "systolic"),
    ("systolic", "NaN", "systolic"), ("systolic", "-5", "systolic"),
    ("diastolic", "7000", "diastolic"), ("pulse", "72.5", "pulse"), ("arm", "middle", "arm"),
    ("measured_at", "2026-05-05T09:00", "measured_at"), ("diastolic", "", "diastolic"),
  ])
  func `an invalid value is refused at its field`(
    _ field: String, _ typed: String, _ told: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let fields = ["systolic": "120", "diastolic": "80", "measured_at": "2026-05-04T08:00"]
    let answer = try anna.submit(new, fields.merging([field: typed]) { $1 })
    #expect(answer.refuses(told))
  }

  @Test func `the error of a value that is no whole number names a usual one`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let answer = try anna.submit(
      new, ["systolic": "12.5", "diastolic": "x", "measured_at": "2026-05-04T08:00"])
    #expect(answer.error(of: "systolic")?.contains("such as 120") == true)
    #expect(answer.error(of: "diastolic")?.contains("such as 80") == true)
  }

  @Test(arguments: [
    (PressureScheme.escHome, 119, 69, PressureClass.nonElevated), (.escHome, 120, 69, .elevated),
    (.escHome, 119, 70, .elevated), (.escHome, 134, 84, .elevated),
    (.escHome, 135, 60, .hypertension), (.escHome, 110, 85, .hypertension),
    (.escOffice, 139, 89, .elevated), (.escOffice, 140, 60, .hypertension),
    (.escOffice, 100, 90, .hypertension), (.aha, 119, 79, .normal), (.aha, 129, 79, .elevated),
    (.aha, 120, 80, .stage1), (.aha, 130, 60, .stage1), (.aha, 139, 89, .stage1),
    (.aha, 140, 60, .stage2), (.aha, 180, 120, .stage2), (.aha, 181, 60, .severe),
    (.aha, 150, 121, .severe),
  ])
  func `the higher class of systolic and diastolic pressure counts`(
    _ scheme: PressureScheme, _ systolic: Int, _ diastolic: Int, _ kind: PressureClass
  ) {
    #expect(scheme.kind(of: Pressure(systolic: systolic, diastolic: diastolic)) == kind)
  }

  @Test func `the classification is the one chosen in the preferences`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = try anna.measure(132, 78)
    for day in 2...3 { _ = try anna.measure(132, 78, at: "2026-05-0\(day)T08:00") }
    #expect(anna.get("/").hasBadge("Elevated") && anna.get(path).badges.isEmpty)
    _ = try anna.submit("/health-metrics/preferences", ["unit": "kg", "scheme": "aha"])
    #expect(anna.get("/").hasBadge("Hypertension, stage 1"))
    #expect(anna.get(path).badges == ["▲ High"] && anna.get(path).contains("ACC/AHA"))
  }

  @Test(arguments: ["30", "190"])
  func `an unusual pulse is questioned`(_ pulse: String) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let asked = try anna.submit(
      new,
      ["systolic": "120", "diastolic": "80", "pulse": pulse, "measured_at": "2026-05-04T08:00"])
    #expect(asked.status == 422 && asked.hasNotice(.warning, pulse))
  }

  @Test func `an unusual reading is questioned once and then stored`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let fields = ["systolic": "255", "diastolic": "80", "measured_at": "2026-05-04T08:00"]
    let asked = try anna.submit(new, fields)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "Is 255 the right upper value?"))
    #expect(!asked.contains("aria-invalid"))
    let again = asked.hidden(of: new) + fields.map { ($0.key, $0.value) }
    #expect(anna.post(new, pairs: again).status == 303)
  }

  @Test func `a deleted reading can be restored from the list of readings`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let path = try anna.measure(120, 80)
    let deleted = try anna.submit(path + "/delete", [:])
    #expect(deleted.location == "/health-metrics/blood-pressure?deleted=1")
    #expect(anna.get("/account/deleted").hasRow("120/80 mmHg"))
    #expect(anna.press("/account/deleted/restore", on: deleted.location).location == path)
  }

  @Test func `a very high reading calls nobody after 24 hours`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let page = anna.get(try anna.measure(192, 124, at: "2026-05-03T07:00"))
    #expect(page.contains("This reading was very high") && page.hasBadge("Very high"))
    #expect(!page.hasNotice(.warning) && !page.contains("Stay calm") && !page.hasLink(with: "tel:"))
    let home = anna.get("/")
    #expect(home.hasBadge("Very high") && !home.hasNotice(.warning) && home.rows.isEmpty)
  }
}

/// A module that knows one clinic, which all people visit.
private struct KnownClinic: Module, Portal.ClinicContacts {
  let id: ModuleID = "clinics"
  var module: ModuleID { id }
  var title: Text { "title" }
  var personalData: PersonalData { .none }
  var offers: [Offer] { [Offer((any Portal.ClinicContacts).self, self)] }

  var catalog: Catalog {
    let words = Array(#"{"title": "Clinics"}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }

  func doctors(finding words: String, for patient: Portal.Patient) -> Path { "/clinics" }

  func clinic(of person: ID<Person>, in work: Work) throws -> (name: Text.Value, phone: String)? {
    (.name([.english: "First Clinic", .russian: "Первая клиника"]), "+375 17 000")
  }

  func overview(_ context: Context) throws -> HTML? { nil }
}
