import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Warnings of another appointment at the same time.
@Suite struct OverlapTests {
  @Test func `a booking that overlaps another appointment needs confirmation`() throws {
    let town = try Town()
    let other = try town.secondDoctor()
    let anna = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00")
    let path = "/appointments/book?doctor=\(other)&date=2026-05-05&time=09:00"
    let page = anna.get(path)
    #expect(page.hasNotice(.warning, "You have another appointment at this time: "))
    let form = page.hidden(of: "/appointments/book")
    let unseen = anna.post("/appointments/book", pairs: form.filter { $0.0 != "overlap" })
    #expect(unseen.status == 409 && unseen.contains("anyway<"))
    #expect(anna.post("/appointments/book", pairs: form).status == 303)
  }

  @Test func `the overlap warning appears for available times and not for taken ones`() throws {
    let town = try Town()
    let other = try town.secondDoctor()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    try town.book(anna, "2026-05-05", "09:00")
    try town.book(anna, "2026-05-05", "09:10")
    let path = "/appointments/book?doctor=\(other)&date=2026-05-05&time=09:00"
    let form = anna.get(path).hidden(of: "/appointments/book")
    #expect(try boris.submit(path, [:]).status == 303)
    let late = anna.get(path)
    #expect(late.hasNotice(.warning, "already booked") && !late.contains("anyway"))
    let taken = anna.post("/appointments/book", pairs: form)
    #expect(taken.status == 409 && taken.hasNotice(.warning, "just booked this time"))
    #expect(!taken.contains("anyway"))
    let later = try town.seconds("2026-05-05T06:10")
    let overlapping = anna.post(
      "/appointments/book",
      pairs: taken.hidden(of: "/appointments/book") + [("instead", String(later))])
    #expect(overlapping.status == 409)
    #expect(overlapping.hasButton("Book Tue, 5 May, 09:10 anyway"))
    #expect(
      overlapping.hasNotice(.warning, "at this time: Dr. House, Tuesday, 5 May 2026, 09:10–09:20"))
    let hidden = overlapping.hidden(of: "/appointments/book")
    let third = anna.post(
      "/appointments/book", pairs: hidden + [("instead", "overlap-\(later - 600)")])
    #expect(third.status == 409)
    let booked = anna.post(
      "/appointments/book", pairs: hidden + [("instead", "overlap-\(later)")])
    #expect(booked.status == 303 && anna.get(booked.location).hasFact("09:10–09:20"))
  }

  @Test func `rescheduling to an alternative time that overlaps needs confirmation`() throws {
    let town = try Town()
    let other = try town.secondDoctor()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    #expect(
      try anna.submit("/appointments/book?doctor=\(other)&date=2026-05-05&time=09:10", [:]).status
        == 303)
    let form = anna.get("\(path)/edit?date=2026-05-05&time=09:00").hidden(of: "\(path)/edit")
    let boris = try town.portal.register()
    try town.book(boris, "2026-05-05", "09:00")
    let later = try town.seconds("2026-05-05T06:10")
    let refused = anna.post("\(path)/edit", pairs: form + [("instead", String(later))])
    #expect(
      refused.status == 409 && refused.hasNotice(.warning, "Dr. Wilson, Tuesday, 5 May 2026, 09:10")
    )
    let moved = anna.post(
      "\(path)/edit",
      pairs: refused.hidden(of: "\(path)/edit") + [("instead", "overlap-\(later)")])
    #expect(moved.status == 303 && anna.get(moved.location).hasFact("09:10–09:20"))
  }

  @Test func `a personal appointment counts as 30 minutes and warns only its patient`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let fields = ["date": "2026-05-05", "time": "10:00", "location": "Dentist", "purpose": ""]
    #expect(try anna.submit("/appointments/new?with=personal", fields).status == 303)
    let page = anna.get(town.confirmation("2026-05-05", "10:20"))
    #expect(
      page.hasNotice(
        .warning, "a personal appointment at this time: Dentist, Tuesday, 5 May 2026"))
    let form = page.hidden(of: "/appointments/book")
    let unseen = anna.post("/appointments/book", pairs: form.filter { $0.0 != "overlap" })
    #expect(unseen.status == 409 && unseen.contains("anyway<"))
    #expect(anna.post("/appointments/book", pairs: form).status == 303)
    for time in ["09:50", "10:30"] {
      #expect(!anna.get(town.confirmation("2026-05-05", time)).contains("Dentist"))
    }
    let boris = try town.portal.register()
    #expect(!boris.get(town.confirmation("2026-05-05", "10:10")).contains("elsewhere"))
    let booked = try town.book(boris, "2026-05-06", "09:00")
    _ = try boris.submit("/appointments/new?with=personal", fields)
    let moving = boris.get("\(booked)/edit?doctor=\(town.doctor)&date=2026-05-05&time=10:10")
    #expect(moving.hasNotice(.warning, "a personal appointment at this time: Dentist"))
  }

  @Test func `the times offered instead leave out the patient's own appointments`() throws {
    let town = try Town()
    let other = try town.secondDoctor()
    let (desk, anna) = (
      try town.atReception(), try town.portal.register(login: "anna", ["surname": "Quux"])
    )
    for time in ["09:00", "09:10"] { try town.book(anna, "2026-05-05", time) }
    let chosen = town.chosen("quux", by: desk)
    let form = "/appointments/desk/book?doctor=\(other)&date=2026-05-05&time=09:00"
    let login = form.replacing("book?", with: "book/login?")
    for (path, fields) in [("\(form)&\(chosen)", [:]), (login, ["patient": "anna"])] {
      let refused = try desk.submit(path, fields)
      #expect(refused.status == 409 && refused.hasButton("Book Tue, 5 May, 09:00 anyway"))
      #expect(refused.hasButton("Tue, 5 May, 09:20"))
      #expect(!refused.hasButton("Tue, 5 May, 09:00") && !refused.hasButton("Tue, 5 May, 09:10"))
    }
  }
}
