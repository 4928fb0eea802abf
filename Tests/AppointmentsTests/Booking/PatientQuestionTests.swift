import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The questions about the patient that a booking asks.
@Suite struct PatientQuestionTests {
  private let town: Town
  private let anna: TestVisitor

  init() throws {
    town = try Town()
    anna = try town.portal.register()
  }

  @Test func `the birth date is asked at the first booking, and kept in the profile`() throws {
    let first = town.confirmation("2026-05-05", "09:00")
    #expect(anna.get(first).hasField("birth_date") && !anna.get(first).hasField("visitor"))
    #expect(try anna.submit(first, ["birth_date": ""]).refuses("birth_date"))
    #expect(try anna.submit(first, ["birth_date": "2026-05-05"]).refuses("birth_date"))
    #expect(try anna.submit(first, ["birth_date": "1899-12-31"]).refuses("birth_date"))
    #expect(try anna.submit(first, ["birth_date": "1980-02-29"]).status == 303)
    #expect(anna.get("/account/edit").value(of: "birth_date") == "1980-02-29")
    #expect(!anna.get(town.confirmation("2026-05-05", "10:00")).hasField("birth_date"))
    let seen = town.doctorVisitor.get("/appointments/1").fact("Date of birth")
    #expect(seen?.contains("29 February 1980") == true)
  }

  @Test(arguments: ["/register", "/login"])
  func `the page before a booking names the doctor and the time`(_ address: String) throws {
    let guest = town.portal.visitor()
    func page(before next: String) -> TestPage {
      guest.get(Path(checked: address).query(["next": next]).description)
    }
    let booking = page(before: town.confirmation("2026-05-05", "09:00"))
    #expect(booking.hasNotice(.plain, "You are booking: Dr. House, 5 May 2026 at 09:00."))
    let past = town.confirmation("2026-05-01", "09:00")
    for other in ["/account", "/appointments/book", past] {
      #expect(!page(before: other).contains("You are booking"))
    }
  }

  @Test func `the list of appointments leads to those of the people in care`() throws {
    #expect(!anna.get("/appointments").contains("Appointments of the people you care for"))
    let father = try town.portal.register()
    let prefix = try anna.act(for: father, .book)
    for show in ["upcoming", "completed"] {
      let page = anna.get("/appointments?show=\(show)")
      #expect(page.contains("Appointments of the people you care for"))
      #expect(page.hasLink(to: "\(prefix)/appointments?show=\(show)"))
    }
    #expect(!anna.get("\(prefix)/appointments").contains("Appointments of the people you care for"))
  }

  @Test func `a booking does not replace a known birth date`() throws {
    let boris = try town.portal.register(["birth_date": "1970-01-01"])
    let page = town.confirmation("2026-05-05", "09:00")
    #expect(try boris.submit(page, ["birth_date": "1980-01-01"]).status == 303)
    #expect(boris.get("/account/edit").value(of: "birth_date") == "1970-01-01")
  }

  private func treatChildren() throws {
    try town.portal.database.write {
      _ = try $0.run("UPDATE appointments_departments SET specialization = 'pediatrics'")
    }
  }

  @Test func `an adult who books with a doctor for children says who comes`() throws {
    try treatChildren()
    let adult = try town.portal.register(["birth_date": "1980-01-01"])
    let page = town.confirmation("2026-05-05", "09:00")
    #expect(!adult.get(page).hasField("birth_date"))
    #expect(adult.get(page).choices(of: "visitor") == ["", "child", "me"])
    #expect(try adult.submit(page, ["visitor": ""]).refuses("visitor"))
    #expect(
      try adult.submit(page, ["visitor": "child", "child_name": ""]).refuses("child_name"))
    #expect(
      try adult.submit(
        page, ["visitor": "child", "child_name": "Mila", "child_birth_date": ""]
      ).refuses("child_birth_date"))
    let booked = try adult.submit(
      page, ["visitor": "child", "child_name": "Mila", "child_birth_date": "2020-05-01"])
    #expect(booked.status == 303)
    let path = String(booked.location.prefix { $0 != "?" })
    for visitor in [adult, town.doctorVisitor] {
      let child = visitor.get(path).fact("Child")
      #expect(child?.contains("Mila") == true && child?.contains("1 May 2020") == true)
    }
    #expect(try !town.portal.storedBytes().contains("Mila".utf8))
  }

  @Test func `a child of an earlier booking is offered again`() throws {
    try treatChildren()
    let adult = try town.portal.register(["birth_date": "1980-01-01"])
    let page = town.confirmation("2026-05-05", "14:00")
    for (time, name) in [("09:00", "Mila"), ("10:00", "Mila"), ("11:00", "Theo")] {
      let fields = ["visitor": "child", "child_name": name, "child_birth_date": "2020-05-01"]
      #expect(try adult.submit(town.confirmation("2026-05-05", time), fields).status == 303)
    }
    let last = town.confirmation("2026-05-05", "12:00")
    let form = adult.get(last)
    #expect(form.offers("Mila, 6 years old", in: "visitor"))
    #expect(form.offers("For another child", in: "visitor"))
    let choices = form.choices(of: "visitor")
    #expect(choices.count == 5 && choices.suffix(2) == ["child", "me"])
    let answer = try adult.submit(
      last, ["visitor": choices[2], "child_name": "", "child_birth_date": ""])
    #expect(answer.status == 303)
    let shown = adult.get(answer.location).fact("Child")
    #expect(shown?.contains("Mila") == true && shown?.contains("1 May 2020") == true)
    let foreign = try town.portal.register(["birth_date": "1980-01-01"])
    #expect(
      try foreign.submit(page, ["visitor": choices[2], "child_name": ""]).refuses("visitor"))
  }

  @Test func `the child's name stands first wherever the parent meets the appointment`() throws {
    try treatChildren()
    let adult = try town.portal.register(["birth_date": "1980-01-01"])
    let fields = ["visitor": "child", "child_name": "Mila", "child_birth_date": "2020-05-01"]
    let booked = try adult.submit(town.confirmation("2026-05-05", "09:00"), fields)
    #expect(adult.get(booked.location).sections.contains { $0.hasPrefix("Mila · Tuesday, 5 May") })
    #expect(adult.get("/appointments").hasRow("Mila · Tue, 5 May, 09:00"))
    #expect(adult.get("/").text.contains("Mila · Tue, 5 May, Tomorrow, 09:00"))
    let path = String(booked.location.prefix { $0 != "?" })
    #expect(adult.get(path).heading == "Mila · Tomorrow, 09:00")
    for question in ["/cancel", "/edit", "/edit?date=2026-05-05&time=10:00"] {
      let text = adult.get(path + question).text
      let time = try #require(text.range(of: "5 May 2026, 09:00"))
      #expect(text.range(of: "Mila").map { $0.lowerBound < time.lowerBound } == true)
    }
  }

  @Test func `an adult may see a doctor for children, and a child is not asked`() throws {
    try treatChildren()
    let adult = try town.portal.register(["birth_date": "1980-01-01"])
    let page = town.confirmation("2026-05-05", "09:00")
    let fields = ["visitor": "me", "child_name": "", "child_birth_date": ""]
    let booked = try adult.submit(page, fields)
    #expect(booked.status == 303 && adult.get(booked.location).fact("Child") == nil)
    let child = try town.portal.register(["birth_date": "2015-01-01"])
    #expect(!child.get(town.confirmation("2026-05-05", "10:00")).hasField("visitor"))
  }
}
