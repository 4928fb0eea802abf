import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The appointments of a person in care, as the guardian's rights show them. Appointment 1 is with a
/// doctor of the portal, appointment 2 is elsewhere.
extension GuardianTests {
  private static let purpose = "\(FilledPortal.secret) purpose"
  private static let place = "\(FilledPortal.secret) place"
  private static let reason = "Reason for the visit"
  private static let later = "?date=2026-05-11&time=10:00"

  @Test func `who only books reads no reason for a visit`() throws {
    let (anna, prefix) = try guardian(.book)
    let booking = "\(prefix)/appointments/1"
    let page = anna.get(booking)
    #expect(page.fact(Self.reason) == "A reason was given." && !page.contains(Self.purpose))
    for path in ["", "/edit\(Self.later)", "/cancel", ".ics"].map({ booking + $0 }) {
      let shown = anna.get(path)
      #expect(shown.status == 200 && !shown.contains(Self.purpose), "\(path)")
    }
    #expect(!anna.get(booking + "/edit\(Self.later)").hasField("purpose"))
    #expect(!anna.get("\(prefix)/appointments").contains(FilledPortal.secret))
  }

  @Test func `an appointment that somebody moves who only books keeps its reason`() throws {
    let (anna, prefix) = try guardian(.book)
    let form = "\(prefix)/appointments/1/edit\(Self.later)"
    // A reason that no form asks for is not taken either.
    let moved = try anna.submit(form, ["purpose": "Another one"])
    #expect(moved.status == 303 && moved.location.hasPrefix("\(prefix)/appointments/1"))
    let page = filled.patient.get("/appointments/1")
    #expect(page.contains("11 May") && page.fact(Self.reason) == Self.purpose)
  }

  @Test func `who only books gives a reason, and does not read it later`() throws {
    let (anna, prefix) = try guardian(.book)
    let form = "\(prefix)/appointments/book?doctor=1&date=2026-05-11&time=10:00"
    #expect(anna.get(form).contains("may read the records"))
    let booked = try anna.submit(form, ["purpose": "Pain in the knee"])
    let path = String(booked.location.prefix { $0 != "?" })
    #expect(booked.status == 303 && anna.get(path).fact(Self.reason) == "A reason was given.")
    let own = filled.patient.get(String(path.dropFirst(prefix.count)))
    #expect(own.fact(Self.reason) == "Pain in the knee")
  }

  @Test func `the reason of a cancellation is for those who may read records`() throws {
    let (booker, prefix) = try guardian(.book)
    let reader = try portal.register(login: "reader")
    #expect(try reader.act(for: filled.patient, .read) == prefix)
    let why = "Another doctor"
    #expect(try filled.patient.submit("/appointments/1/cancel", ["reason": why]).status == 303)
    #expect(reader.get("\(prefix)/appointments/1").contains(why))
    let shown = booker.get("\(prefix)/appointments/1")
    #expect(shown.status == 200 && !shown.contains(why))
  }

  @Test(arguments: [GuardianScope.read, .all])
  func `who may read records reads and writes reasons`(_ scope: GuardianScope) throws {
    let (anna, prefix) = try guardian(scope)
    #expect(anna.get("\(prefix)/appointments/1").fact(Self.reason) == Self.purpose)
    let form = "\(prefix)/appointments/1/edit\(Self.later)"
    #expect(try anna.submit(form, ["purpose": "Another one"]).status == 303)
    #expect(filled.patient.get("/appointments/1").fact(Self.reason) == "Another one")
  }

  @Test func `who only books does not learn of appointments elsewhere`() throws {
    let (anna, prefix) = try guardian(.book)
    let list = anna.get("\(prefix)/appointments")
    #expect(list.contains("First Clinic") && !list.contains(Self.place))
    #expect(!list.hasLink(with: "with=personal"))
    #expect(!anna.get("\(prefix)/").contains(Self.place))
    for path in ["2", "2.ics", "2/edit"] {
      #expect(anna.get("\(prefix)/appointments/\(path)").status == 404, "\(path)")
    }
    for path in ["personal/2", "2/delete", "new?with=personal"] {
      #expect(anna.get("\(prefix)/appointments/\(path)").status == 403, "\(path)")
    }
    let new = anna.get("\(prefix)/appointments/new")
    #expect(new.status == 200 && !new.hasField("location"))
  }

  @Test func `who reads sees appointments elsewhere, and who has all rights changes them`() throws {
    let (reader, prefix) = try guardian(.read)
    let helper = try portal.register(login: "helper")
    #expect(try helper.act(for: filled.patient, .all) == prefix)
    let page = "\(prefix)/appointments/2"
    let (change, deletion) = ("\(prefix)/appointments/personal/2", "\(page)/delete")
    #expect(reader.get("\(prefix)/appointments").contains(Self.place))
    let shown = reader.get(page)
    #expect(shown.contains(Self.place))
    #expect(!shown.hasLink(to: change) && !shown.hasLink(to: deletion))
    #expect(reader.get(change).status == 403 && reader.get(deletion).status == 403)
    #expect(helper.get(page).hasLink(to: change))
    let form = helper.get("\(prefix)/appointments/new?with=personal")
    #expect(form.contains("Only those who may read the records of Anna"))
    #expect(try helper.submit(deletion, [:]).status == 303)
    #expect(!filled.patient.get("/appointments").contains(Self.place))
  }

  @Test func `a program of somebody who only books reads no record and changes none`() throws {
    let (anna, prefix) = try guardian(.book)
    let token = try anna.makeToken(["appointments": "write"])
    let program = TestProgram(portal, token: token)
    let list = program.get("\(prefix)/api/v1/appointments")
    #expect(list.status == 200 && !list.contains(FilledPortal.secret))
    #expect(try list.json()["items"]?.count == 1)
    #expect(program.get("\(prefix)/api/v1/appointments/2").status == 404)
    let own = #"{"date": "2026-05-20", "time": "10:00", "location": "Dentist"}"#
    #expect(program.post("\(prefix)/api/v1/appointments", own).status == 403)
    let moved = #"{"doctor": 1, "date": "2026-05-11", "time": "10:00", "purpose": ""}"#
    #expect(program.put("\(prefix)/api/v1/appointments/1", moved, over: "*").status == 200)
    #expect(filled.patient.get("/appointments/1").fact(Self.reason) == Self.purpose)
  }

  @Test func `who acts for somebody reads who the patient of their own appointment is`() throws {
    let anna = try portal.register()
    let form = "/appointments/book?doctor=1&date=2026-05-11&time=10:00"
    let path = try String(anna.submit(form, [:]).location.prefix { $0 != "?" })
    #expect(anna.get(path).fact("Patient") == nil)
    _ = try child(of: anna)
    #expect(anna.get(path).fact("Patient") == "Anna Petrova")
  }
}
