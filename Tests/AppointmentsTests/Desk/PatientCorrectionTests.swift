import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The reception's correction of a patient without an account.
@Suite struct PatientCorrectionTests {
  private let town: Town
  private let desk: TestVisitor
  /// The address of the patient at the reception.
  private let patient: String
  private let person: ID<Person>
  private var edit: String { "/appointments/desk/patients/\(person)/edit" }

  init() throws {
    town = try Town()
    desk = try town.atReception()
    _ = try town.bookForNewPatient("2026-05-05", "09:00", by: desk)
    person = ID(Int64(try town.count("SELECT max(id_person) FROM people")))
    patient = "/appointments/desk/book?\(town.chosen("novak", by: desk))"
  }

  private func search(_ typed: String) -> TestPage {
    let answer = desk.press(
      "/appointments/desk/search", on: "/appointments/desk/book", ["q": typed])
    return desk.get(answer.location)
  }

  @Test func `the reception completes a patient's details, and finds the patient by them`() throws {
    #expect(desk.get(patient).hasLink(to: edit))
    let form = desk.get(edit)
    #expect(form.value(of: "surname") == "Novak" && form.value(of: "phone") == "+375 29 1234567")
    let answer = try desk.submit(
      edit, ["name": "Eva", "surname": "Birch", "phone": "", "birth_date": "1987-11-05"])
    #expect(answer.location.hasPrefix("/appointments/desk/book?patient_id="))
    let page = desk.get(answer.location)
    #expect(page.contains("Eva Birch") && page.hasNotice(.success))
    #expect(search("birch 5.11.1987").hasRow("Eva Birch") && !search("novak").hasRow("Eva"))
    let logged =
      "SELECT count(*) FROM audit WHERE action = 'correct' AND subject = \(person)" as SQL
    #expect(try town.count(logged) == 1)
    let changes = "SELECT count(*) FROM access_log WHERE person = \(person) AND count = 0" as SQL
    #expect(try town.count(changes) == 2)
  }

  @Test func `the file has the links that the reception can make for a patient of that age`() throws
  {
    let (parent, account) = ("Connect a parent", "Invite to an account")
    let hint = "With a date of birth"
    let unknown = desk.get(patient)
    #expect(unknown.contains(hint) && !unknown.hasLink(parent) && !unknown.hasLink(account))
    for (born, links) in [
      ("2020-03-04", [parent]), ("2010-03-04", [parent, account]), ("1987-11-05", [account]),
    ] {
      let saved = try desk.submit(edit, ["name": "Eva", "surname": "Novak", "birth_date": born])
      let file = desk.get(saved.location)
      #expect(!file.contains(hint), "\(born)")
      #expect([parent, account].filter { file.hasLink($0) } == links, "\(born)")
      #expect(!desk.get(edit).hasLink(parent), "\(born)")
    }
  }

  @Test func `the reception reaches the form from the patient's appointment`() throws {
    let booking = try town.count("SELECT max(id_appointment) FROM appointments")
    let form = "\(edit)?appointment=\(booking)"
    #expect(desk.get("/appointments/\(booking)").hasLink(to: form))
    #expect(!town.doctorVisitor.get("/appointments/\(booking)").hasLink(to: form))
  }

  @Test func `the form leads back to the appointment that it was opened from, and to no other`()
    throws
  {
    let own = "/appointments/\(try town.count("SELECT max(id_appointment) FROM appointments"))"
    let other = try town.book(try town.zinaida(), "2026-05-06", "10:00")
    let found = "/appointments/desk/book?patient_id="
    for (origin, back) in [(own, own), (other, found), ("/appointments/x", found)] {
      let form = "\(edit)?appointment=\(origin.split(separator: "/").last ?? "")"
      let opened = desk.get(form)
      #expect(opened.hasLink(with: back), "\(origin)")
      let typed = [("name", "Eva"), ("surname", "Novak"), ("phone", "+375 29 1234567")]
      let sent = opened.hidden(of: edit) + typed
      let left = desk.post(edit, pairs: sent + [("cancel", "")]).location
      #expect(
        try [left, desk.submit(form, pairs: typed).location].allSatisfy { $0.hasPrefix(back) })
    }
  }

  @Test(arguments: ["029 111 22", "+375 29 111", "111 22", "+375 29 111 22 33 44 55 66"])
  func `a telephone number with missing or surplus digits is questioned once`(_ phone: String)
    throws
  {
    let typed = [("name", "Eva"), ("surname", "Novak"), ("phone", phone)]
    let asked = try desk.submit(edit, pairs: typed)
    #expect(asked.status == 422 && asked.hasNotice(.warning, "phone number complete"))
    #expect(desk.post(edit, pairs: asked.hidden(of: edit) + typed).status == 303)
    let new = "/appointments/desk/new?doctor=\(town.doctor)&date=2026-05-05&time=10:00"
    let booked = try desk.submit(new, pairs: typed)
    #expect(booked.status == 422 && booked.hasNotice(.warning, "phone number complete"))
  }

  @Test(arguments: ["", "029 111 22 33", "+375 29 111-22-33", "111 22 33", "(029) 1112233"])
  func `a complete telephone number is not questioned`(_ phone: String) throws {
    let typed = ["name": "Eva", "surname": "Novak", "phone": phone]
    #expect(try desk.submit(edit, typed).status == 303)
  }

  @Test func `a correction of details that were changed meanwhile is refused`() throws {
    let opened = desk.get(edit).hidden(of: edit)
    _ = try desk.submit(edit, ["name": "Eva", "surname": "Birch", "phone": ""])
    let late = desk.post(edit, pairs: opened + [("name", "Ella"), ("surname", "Novak")])
    #expect(late.status == 409)
    #expect(desk.get(edit).value(of: "surname") == "Birch")
  }

  @Test func `a name that is blank and a birth date in the future are refused`() throws {
    #expect(try desk.submit(edit, ["name": " "]).refuses("name"))
    #expect(
      try desk.submit(edit, ["name": "Eva", "birth_date": "2030-01-01"]).refuses("birth_date"))
  }

  @Test func `a patient with an account corrects their own details`() throws {
    let anna = try town.zinaida()
    let appointment = try town.book(anna, "2026-05-06", "10:00")
    let person = try town.portal.person(of: anna)
    let page = desk.get("/appointments/desk/book?\(town.chosen("quux", by: desk))")
    #expect(page.contains("Zinaida") && !page.hasLink("Edit details"))
    #expect(desk.get("/appointments/desk/patients/\(person)/edit").status == 404)
    let sentence = "Zinaida Quux has an account: they correct their details and choose who acts"
    #expect(page.contains(sentence) && page.contains("can help with a forgotten password"))
    #expect(desk.get(appointment).contains(sentence))
    #expect(!desk.get(patient).contains("has an account:"))
  }

  @Test func `another clinic's reception, doctors and patients cannot correct the patient`() throws
  {
    let elsewhere = try town.portal.receptionist(["name": "Nora", "surname": "Away"])
    let found = elsewhere.get("/appointments/desk/book?\(town.chosen("novak", by: elsewhere))")
    #expect(found.contains("Eva Novak") && !found.hasLink(to: edit))
    let entries = "SELECT sum(count) FROM access_log WHERE person = \(person)" as SQL
    let before = try town.count(entries)
    #expect(elsewhere.get(edit).status == 404)
    #expect(try town.count(entries) == before)
    for visitor in [town.doctorVisitor, try town.zinaida()] {
      #expect(visitor.get(edit).status == 403)
    }
  }

  @Test func `details that are those of another patient are questioned once`() throws {
    _ = try town.zinaida()
    let typed = [("name", "Zinaida"), ("surname", "Quux"), ("birth_date", "1990-02-13")]
    let asked = try desk.submit(edit, pairs: typed)
    #expect(asked.status == 409 && asked.hasNotice(.warning, "Another patient has the same name"))
    #expect(asked.hasRow("Zinaida Quux"))
    #expect(desk.post(edit, pairs: asked.hidden(of: edit) + typed).status == 303)
    #expect(desk.get(patient).contains("Zinaida Quux"))
  }
}
