import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Rescheduling and cancelling by the patient.
@Suite struct ChangeTests {
  @Test func `a patient reschedules an appointment in the same steps as a booking`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    #expect(anna.get(path + "/edit").hasLink(with: "date=2026-05-06"))
    #expect(anna.get(path + "/edit?date=2026-05-06").hasLink(with: "time=10%3A00"))
    let last = path + "/edit?date=2026-05-06&time=10:00"
    #expect(
      anna.get(last).contains("Current time: ")
        && anna.get(last).value(of: "purpose") == "Chest pain")
    let answer = try anna.submit(last, ["purpose": "Chest pain and cough"])
    #expect(answer.status == 303)
    let page = anna.get(answer.location)
    #expect(page.fact("When") == "Wednesday, 6 May 2026, 10:00–10:10" && page.hasFact("and cough"))
    #expect(page.hasRow("Moved to 6 May 2026") && page.hasRow("Booked for 5 May 2026"))
    #expect(try town.count("SELECT sequence FROM appointments") == 1)
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 2)
    let freed = anna.get("/appointments/book?doctor=\(town.doctor)&date=2026-05-05")
    #expect(freed.hasLink(with: "time=09%3A00"))
  }

  @Test func `resubmitting the same time changes the purpose and does not reschedule`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Chest pain")
    let answer = try anna.submit(
      path + "/edit?date=2026-05-05&time=09:00", ["purpose": "Cough"])
    #expect(answer.location == path)
    #expect(anna.get(path).fact("Reason for the visit") == "Cough")
    #expect(try town.count("SELECT sequence FROM appointments") == 0)
  }

  @Test func `a cancelled appointment shows its reason and frees its time`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let answer = try anna.submit(path + "/cancel", ["reason": "I feel well"])
    #expect(answer.status == 303)
    let page = anna.get(answer.location)
    #expect(page.hasRow("I feel well") && page.hasNotice(.success, "The appointment is cancelled"))
    #expect(!page.contains(path + "/edit"))
    #expect(!anna.get("/appointments").contains("Dr. House"))
    #expect(anna.get("/appointments?show=completed").hasBadge("Cancelled"))
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 0)
    #expect(anna.get(path + "/cancel").status == 409 && anna.get(path + "/edit").status == 409)
  }

  @Test func `a reason over 500 characters, line breaks as one, is refused and kept`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(anna.get(path + "/cancel").hasField("reason"))
    let lines = Array(repeating: String(repeating: "я", count: 49), count: 10)
    let refused = try anna.submit(
      path + "/cancel", ["reason": lines.joined(separator: "\r\n") + "!!"])
    #expect(refused.refuses("reason"))
    #expect(refused.contains("aria-invalid=\"true\"") && refused.contains(lines[0]))
    #expect(refused.contains(", Dr. House.") && refused.contains("button danger"))
    let hidden = refused.hidden(of: path + "/cancel")
    let kept = lines.joined(separator: "\r\n") + "!"
    let answer = anna.post(path + "/cancel", pairs: hidden + [("reason", kept)])
    #expect(answer.status == 303)
    #expect(anna.get(answer.location).contains(lines.joined(separator: "\n") + "!"))
  }

  @Test func `a cancelled appointment leads back to past and cancelled ones`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(anna.get(path).backLink == "/appointments")
    #expect(try anna.submit(path + "/cancel", [:]).status == 303)
    #expect(anna.get(path).backLink == "/appointments?show=completed")
    let late = anna.get(path + "/cancel")
    #expect(late.status == 409 && late.hasNotice(.warning, "already cancelled"))
  }

  @Test func `the button that keeps the appointment leads back to it without cancelling it`() throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(anna.get(path + "/cancel").hasButton("Keep the appointment"))
    let answer = try anna.submit(path + "/cancel", ["reason": "Well again", "cancel": "yes"])
    #expect(answer.status == 303 && answer.location == path)
    #expect(anna.get(path).contains(path + "/edit"))
  }

  @Test func `changing the time begins with the present day, and offers to keep it`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-12", "09:00")
    let times = anna.get(path + "/edit")
    let open = try #require(times.body.range(of: "<details class=\"day\" open>"))
    #expect(times.body[open.upperBound...].prefix(200).contains("Tue, 12 May"))
    #expect(times.hasLink(to: path + "/edit?doctor=1&from=2026-05-04"))
    #expect(anna.get(path + "/edit?date=2026-05-13&time=10:00").hasButton("Keep 12 May"))
    let sameDay = anna.get(path + "/edit?date=2026-05-12&time=10:00")
    #expect(sameDay.hasButton("Keep 09:00") && sameDay.hasLink("Other times"))
    let kept = try anna.submit(path + "/edit?date=2026-05-13&time=10:00", ["cancel": ""])
    #expect(kept.status == 303 && kept.location == path)
  }

  @Test func `the pages suggest no call when the clinic has no phone number`() throws {
    let town = try Town()
    try town.portal.database.write { _ = try $0.run("UPDATE appointments_clinics SET phone = ''") }
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "14:00")
    town.portal.now = town.portal.now + .minutes(10)
    for page in [anna.get(path), anna.get(path + "/cancel")] {
      #expect(
        page.contains(
          "You can change or cancel an appointment here until 2 hours before it starts."))
      #expect(!page.contains("Call the clinic") && !page.contains("call the clinic"))
    }
  }

  @Test func `an appointment within two hours can be changed by phone only`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "14:00")
    town.portal.now = town.portal.now + .minutes(10)
    let page = anna.get(path + "/cancel")
    #expect(page.status == 409 && page.contains("+375 17 000") && page.contains("2 hours"))
    #expect(page.heading == "You cannot cancel this appointment here" && page.backLink == path)
    let move = anna.get(path + "/edit?date=2026-05-05&time=10:00")
    #expect(move.status == 409 && move.heading == "You cannot change this appointment here")
    #expect(anna.get(path).hasLink("Call the clinic: +375 17 000"))
  }

  @Test func `a reschedule sent too late is refused with 409 and offers no other times`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-04", "14:00")
    let edit = path + "/edit?date=2026-05-05&time=10:00"
    let form = anna.get(edit).hidden(of: path + "/edit")
    town.portal.now = town.portal.now + .minutes(10)
    let answer = anna.post(path + "/edit", pairs: form + [("purpose", "Kept")])
    #expect(answer.status == 409 && answer.hasNotice(.warning, "Call the clinic"))
    #expect(answer.value(of: "purpose") == "Kept" && !answer.hasField("instead"))
  }

  @Test func `a change from a page opened before another change is refused with 409`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    let move = anna.get(path + "/edit?date=2026-05-06&time=10:00").hidden(of: path + "/edit")
    let cancel = anna.get(path + "/cancel").hidden(of: path + "/cancel")
    #expect(anna.post(path + "/edit", pairs: move).status == 303)
    let late = anna.post(path + "/cancel", pairs: cancel)
    #expect(
      late.status == 409 && late.hasNotice(.warning, "has changed since this page was opened"))
    let again = anna.get(path + "/cancel").hidden(of: path + "/cancel")
    #expect(anna.post(path + "/cancel", pairs: again).status == 303)
    #expect(anna.post(path + "/edit", pairs: move.filter { $0.0 != "once" }).status == 409)
  }

  @Test func `a patient gets 404 for another patient's appointment and for staff actions`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let boris = try town.portal.register()
    let path = try town.book(anna, "2026-05-05", "09:00")
    for page in ["", "/edit", "/cancel", "/delete"] {
      #expect(boris.get(path + page).status == 404, "\(page)")
    }
    #expect(boris.push(path + "/arrived").status == 404)
    #expect(anna.push(path + "/arrived").status == 404)
    #expect(anna.get(path + "/delete").status == 404)
  }

  @Test func `an alert that is begun while changing an appointment leads back to the change`()
    throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    let edit = "\(try town.book(anna, "2026-05-05", "09:00"))/edit"
    let joined = anna.press("/appointments/wishes/\(town.doctor)", on: edit)
    #expect(joined.location == "\(edit)")
    #expect(anna.get(joined.location).hasNotice(.success))
    let left = anna.press("/appointments/wishes/\(town.doctor)/leave", on: edit)
    #expect(left.location == "\(edit)")
  }

  @Test func `a visit without an appointment is among the past ones when it is over`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let past = "/appointments?show=completed"
    try town.open()
    _ = town.pressJoin(anna)
    #expect(anna.get(past).isEmptyList())
    town.portal.now = town.portal.now + .minutes(15)
    try town.settle(at: town.portal.now)
    let page = anna.get(past)
    #expect(page.rows.count == 1 && page.hasRow("Dr. House") && page.hasBadge("Walk-in"))
    #expect(anna.get("/appointments").isEmptyList())
    let booking = try town.book(anna, "2026-05-05", "09:00")
    #expect(try anna.submit("\(booking)/cancel", [:]).status == 303)
    let both = anna.get(past).rows
    #expect(both.count == 2 && both[0].contains("Cancelled") && both[1].contains("Walk-in"))
  }

  @Test func `an appointment with the same doctor is pointed out before another is booked`() throws
  {
    let town = try Town()
    let anna = try town.portal.register()
    let path = try town.book(anna, "2026-05-06", "09:00")
    let change = "\(path)/edit?doctor=\(town.doctor)&date=2026-05-05&time=10%3A00"
    let page = anna.get(town.confirmation("2026-05-05", "10:00"))
    #expect(page.hasNotice(.warning, "6 May 2026 at 09:00"))
    #expect(page.hasLink(to: change))
    let boris = try town.portal.register()
    #expect(!boris.get(town.confirmation("2026-05-05", "10:00")).hasNotice(.warning))
    #expect(try anna.submit(change, [:]).location == "\(path)")
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
    let late = try town.book(anna, "2026-05-04", "12:30")
    let other = anna.get(town.confirmation("2026-05-06", "10:00"))
    #expect(other.hasNotice(.warning, "4 May 2026") && !other.hasLink(with: "\(late)/edit"))
  }

  @Test func `a patient joins and leaves the doctor's list for earlier times`() throws {
    let town = try Town()
    let anna = try town.portal.register()
    let page = "/appointments/book?doctor=\(town.doctor)"
    let joined = anna.press("/appointments/wishes/\(town.doctor)", on: page)
    #expect(joined.location == page + "")
    #expect(anna.get(page).contains("let you know when an earlier time"))
    #expect(try town.count("SELECT count(*) FROM appointments_earlier_time_alerts") == 1)
    _ = anna.press("/appointments/wishes/\(town.doctor)/leave", on: page)
    #expect(try town.count("SELECT count(*) FROM appointments_earlier_time_alerts") == 0)
  }
}
