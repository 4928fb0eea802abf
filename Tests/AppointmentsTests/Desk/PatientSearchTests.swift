import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The reception's search for a patient, and the booking that follows.
@Suite struct PatientSearchTests {
  private let town: Town
  private let desk: TestVisitor
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    desk = try town.atReception()
    anna = try town.zinaida()
  }

  private func search(_ visitor: TestVisitor, _ typed: String) -> TestPage {
    visitor.press(
      "/appointments/desk/search", on: "/appointments/desk/book", ["q": typed], evenIfAbsent: true)
  }

  private func results(_ typed: String) -> TestPage {
    let answer = search(desk, typed)
    return answer.status == 303 ? desk.get(answer.location) : answer
  }

  @Test(arguments: [
    "zinaida", "quux zin", "5551234", "13.02.1990", "1990-02-13", "02/13/1990",
    "quux 13 February 1990", "Feb 13, 1990", "13 февраля 1990 г.", "13 בפברואר 1990",
    "Quux 13.2.90", "80295551234", "8 029 555-12-34 zina", "0295551234",
  ])
  func `a patient is found by name, telephone number and date of birth`(_ typed: String) {
    let page = results(typed)
    #expect(page.hasRow("Zinaida Quux") && page.hasRow("13 February 1990"))
    #expect(page.contains("1234") && !page.contains("555 1234"))
  }

  @Test func `two files of one child are told apart by who acts for the child`() throws {
    for name in ["Maria", "Pavel"] {
      let parent = try town.portal.register(["name": name, "surname": "Levin"])
      let child = [
        "name": "Anna", "surname": "Levin", "birth_date": "2017-03-04", "sex": "female",
        "is_guardian": "yes",
      ]
      #expect(try parent.submit("/account/people/child", child).status == 303)
    }
    let page = results("anna levin")
    #expect(page.hasNotice(.warning, "same name and birth date"))
    #expect(page.hasRow("Acting for the child: Maria Levin"))
    #expect(page.hasRow("Acting for the child: Pavel Levin"))
    #expect(!results("zinaida").contains("Acting for the child"))
  }

  @Test func `a search by login finds a patient and adds an access log entry`() throws {
    #expect(!anna.get("/account/access-log").contains("Olga Desk"))
    #expect(results(anna.login).hasRow("Zinaida Quux"))
    #expect(anna.get("/account/access-log").contains("Olga Desk"))
  }

  @Test(arguments: ["zinaida quuz", "Zinadia", "znaida", "zinaida quuxx"])
  func `a name with a slip of the pen finds patients with similar names`(_ typed: String) {
    let page = results(typed)
    #expect(page.hasNotice(.warning, "similar names") && page.hasRow("Zinaida Quux"))
    #expect(anna.get("/account/access-log").contains("Olga Desk"))
  }

  @Test(arguments: ["quuz 13.02.1990", "zina quuz 5551234"])
  func `a slip is forgiven in names only`(_ typed: String) {
    #expect(!results(typed).contains("Zinaida"))
  }

  @Test(arguments: ["z", "12", "", "nobody", "я", "ш", "ש", "א", "é", "я 1", "z y"])
  func `a search without usable words finds no patient`(_ typed: String) throws {
    _ = try town.portal.register(["name": "Ян", "surname": "Шарын"])
    _ = try town.portal.register(["name": "אבי", "surname": "שלום"])
    _ = try town.portal.register(["name": "Élodie", "surname": "Yz"])
    let names = ["Quux", "Шарын", "שלום", "Yz"]
    #expect(!results(typed).rows.contains { row in names.contains { row.contains($0) } })
  }

  @Test(arguments: ["ян", "ша", "אב", "él"])
  func `two letters of any alphabet find a patient`(_ typed: String) throws {
    _ = try town.portal.register(["name": "Ян", "surname": "Шарын"])
    _ = try town.portal.register(["name": "אבי", "surname": "שלום"])
    _ = try town.portal.register(["name": "Élodie", "surname": "Yz"])
    #expect(results(typed).rows.count == 1)
  }

  @Test func `patients and doctors cannot search`() throws {
    for visitor in [anna, town.doctorVisitor] {
      #expect(visitor.push("/appointments/desk/search").status == 403)
      #expect(visitor.get("/appointments/desk/book?found=1").status == 403)
    }
  }

  @Test func `the address of a result hides words and numbers, and each look is logged`() throws {
    let person = try town.portal.person(of: anna)
    let answer = search(desk, "quux")
    #expect(answer.location.hasPrefix("/appointments/desk/book?found="))
    #expect(!answer.location.contains("found=\(person)&") && !answer.location.contains("quux"))
    let entries = "SELECT coalesce(sum(count), 0) FROM access_log WHERE person = \(person)" as SQL
    #expect(try town.count(entries) == 1)
    #expect(desk.get(answer.location).hasRow("Zinaida Quux"))
    #expect(try town.count(entries) == 2)
  }

  @Test func `nobody is opened by a number, or by what another search has sealed`() throws {
    let person = try town.portal.person(of: anna)
    try town.open()
    let (found, patient) = (search(desk, "quux").location, town.chosen("quux", by: desk))
    let words = String(found.split(separator: "words=")[1])
    let sealed = String(patient.dropFirst("patient_id=".count))
    let entries = "SELECT coalesce(sum(count), 0) FROM access_log WHERE person = \(person)" as SQL
    let before = try town.count(entries)
    for value in ["", "1,x", "-1", "99999", "\(person)", "1,2,\(person)", words, sealed] {
      #expect(isGone("/appointments/desk/book?found=\(value)&more=1", desk), "\(value)")
    }
    let join = "/appointments/desk/queue/\(town.doctor)/join"
    for value in ["x", "-1", "99999", "\(person)", words] {
      for page in ["/appointments/desk/book?doctor=\(town.doctor)&", "\(join)?"] {
        #expect(isGone("\(page)patient_id=\(value)", desk), "\(page)\(value)")
      }
    }
    let colleague = try town.atReception()
    for path in [found, "/appointments/desk/book?\(patient)", "\(join)?\(patient)"] {
      #expect(isGone(path, colleague))
    }
    #expect(try town.count(entries) == before)
    town.portal.now = town.portal.now + .days(1)
    _ = try desk.signIn(desk.login)
    #expect(isGone(found, desk) && isGone("/appointments/desk/book?\(patient)", desk))
  }

  /// True if the answer shows no patient, and says to search again.
  private func isGone(_ path: String, _ desk: TestVisitor) -> Bool {
    let page = desk.get(path)
    return page.status == 410 && !page.contains("Quux") && page.contains("Search for the patient")
  }

  @Test func `a receptionist opens only so many people a minute, which the security log has`()
    throws
  {
    let names = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo"]
    for name in names {
      for _ in 0..<10 { _ = try town.portal.register(["name": "Ida", "surname": name]) }
    }
    for name in names.dropLast() { #expect(results(name).rows.count == 10, "\(name)") }
    // People who were opened in this hour do not count again.
    #expect(results("Alder").rows.count == 10)
    let refused = search(desk, "Ginkgo")
    #expect(refused.status == 429 && !refused.contains("Ginkgo"))
    let event = try #require(town.portal.log.last { $0.contains(" security ") })
    #expect(event.contains("reason=limit") && event.contains("route=/appointments/desk/search"))
    town.portal.now = town.portal.now + .seconds(10)
    #expect(results("Ginkgo").rows.count == 10)
  }

  @Test func `the words stay in the field, for the receptionist who typed them only`() throws {
    let answer = search(desk, "quux <b>")
    #expect(desk.get(answer.location).value(of: "q") == "quux <b>")
    let foreign = answer.location.replacing(/words=.*/, with: "words=AAAA")
    #expect(desk.get(foreign).value(of: "q") == "")
  }

  @Test func `the address of a result stays short, however long the search was`() {
    let marks = String(repeating: "o" + String(repeating: "\u{301}", count: 40), count: 100)
    for typed in [marks, String(repeating: "<", count: 5_000)] {
      #expect(search(desk, typed).location.utf8.count < 2_000)
      for choice in ["doctor", "list"] {
        let answer = desk.press(
          "/appointments/desk/search", on: "/appointments/desk/book", ["q": "zi", choice: typed],
          evenIfAbsent: true)
        #expect(answer.status == 303 && answer.location.utf8.count < 2_000)
      }
    }
  }

  @Test func `a search that finds more than ten people says so`() throws {
    for number in 1...11 {
      _ = try town.bookForNewPatient(
        "2026-05-05", number < 7 ? "09:\(number - 1)0" : "10:\(number - 7)0", by: desk)
    }
    let page = results("novak")
    #expect(page.rows.count == 10 && page.hasNotice(.warning))
  }

  @Test func `the chosen patient is carried from the search to the booked appointment`() throws {
    #expect(desk.get("/appointments/desk").hasField("q"))
    let chosen = "/appointments/desk/book?\(town.chosen("quux", by: desk))"
    let doctors = desk.get(chosen)
    #expect(doctors.contains("Zinaida Quux"))
    let times = "\(chosen)&doctor=\(town.doctor)"
    #expect(doctors.hasLink(to: times))
    let day = desk.get("\(times)&date=2026-05-05")
    #expect(day.contains("Zinaida Quux"))
    let last = "\(times)&date=2026-05-05&time=09%3A00"
    #expect(day.hasLink(to: last))
    #expect(desk.get(last).contains("Zinaida Quux") && !desk.get(last).hasField("patient"))
    #expect(try desk.submit(last, [:]).status == 303)
    #expect(anna.get("/appointments").hasRow("Dr. House"))
  }

  @Test func `the summary leads back to the times of the chosen day`() throws {
    let times = "/appointments/desk/book?doctor=\(town.doctor)&date=2026-05-05"
    let byLogin = times.replacing("book?", with: "book/login?")
    #expect(desk.get("\(byLogin)&time=09%3A00").hasLink(to: times))
    #expect(desk.get("\(times)&time=09%3A00&search=1").hasLink(to: times))
    let patient = town.chosen("quux", by: desk)
    let chosen = desk.get("\(times)&time=09%3A00&\(patient)")
    #expect(chosen.hasLink(with: "book?\(patient)&doctor=\(town.doctor)&date=2026-05-05"))
  }

  @Test func `a time chosen before the patient is kept by the search`() throws {
    let time = "doctor=\(town.doctor)&date=2026-05-05&time=09%3A00"
    let search = "/appointments/desk/book?\(time)&search=1"
    #expect(desk.get("/appointments/desk/book/login?\(time)").hasLink(to: search))
    let answer = desk.press("/appointments/desk/search", on: search, ["q": "quux"])
    #expect(answer.location.hasPrefix("/appointments/desk/book?\(time)&found="))
    let page = desk.get(answer.location)
    let last = "/appointments/desk/book?\(time)&\(Town.chosen(on: page))"
    #expect(page.hasLink(to: last) && page.hasLink(to: "/appointments/desk/new?\(time)"))
    #expect(try desk.submit(last, [:]).status == 303)
    #expect(anna.get("/appointments").hasRow("Dr. House"))
  }

  @Test func `the reception sees how to reach a patient until the appointment is over`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = desk.get(path)
    #expect(page.fact("Phone") == "+375 29 555 1234")
    #expect(page.fact("Date of birth")?.hasPrefix("13 February 1990") == true)
    let day = try #require(CalendarDate("2026-05-05"))
    town.portal.now = Instant(Int64(day.daysSince1970) * 86_400) + .hours(7)
    let over = try town.atReception().get(path)
    #expect(over.fact("Phone") == nil && over.fact("Date of birth") == nil)
    #expect(over.fact("Patient") == "Zinaida Quux")
  }

  @Test func `a caller's appointments ahead at the clinic are found by the search`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = desk.get("/appointments/desk/book?\(town.chosen("quux", by: desk))")
    #expect(page.hasLink(to: path) && page.hasRow("5 May 2026, 09:00"))
    let other = try town.portal.receptionist()
    #expect(
      !other.get("/appointments/desk/book?\(town.chosen("quux", by: other))").contains(path))
  }

  @Test func `a doctor sees the patient's age, sex, telephone and earlier visits`() throws {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let page = town.doctorVisitor.get(path)
    #expect(page.fact("Date of birth")?.contains("36") == true)
    #expect(page.hasFact("555 1234") && page.fact("Earlier visits to you") == "None")
    #expect(
      desk.get(path).fact("Sex") == nil && desk.get(path).fact("Earlier visits to you") == nil)
  }
}
