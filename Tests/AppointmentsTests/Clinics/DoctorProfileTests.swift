import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The public details of doctors: names in several scripts, languages and a short text.
@Suite struct DoctorProfileTests {
  private let town: Town
  private var portal: TestPortal { town.portal }
  private var own: String { "/appointments/doctors/\(town.doctor)/edit" }

  init() throws { town = try Town() }

  private static let fields: [(String, String)] = [
    ("doctor_name_en", "Gregory House"), ("doctor_name_ru", "Грегори Хаус"),
    ("doctor_name_he", ""), ("spoken_language", "he"), ("spoken_language", "en"),
    ("doctor_about_en", "Solves puzzles."), ("doctor_about_ru", ""), ("doctor_about_he", ""),
  ]

  private func page(_ language: Language) -> TestPage {
    portal.visitor(language: language).get("/appointments/doctors/\(town.doctor)")
  }

  @Test func `a doctor edits the page, and readers see it in their language`() throws {
    let doctor = town.doctorVisitor
    #expect(doctor.get("/appointments/doctors/\(town.doctor)").hasLink(to: own))
    let answer = try doctor.submit(own, pairs: Self.fields)
    #expect(answer.location == "/appointments/doctors/\(town.doctor)")
    #expect(page(.english).heading == "Gregory House")
    #expect(page(.english).contains("<title>Gregory House · "))
    #expect(page(.english).fact("Languages") == "Hebrew, English")
    #expect(page(.english).fact("About") == "Solves puzzles.")
    #expect(page(.russian).heading == "Грегори Хаус")
    #expect(page(.russian).fact("Языки") == "Иврит, английский")
    #expect(page(.russian).contains("Solves puzzles."))
    #expect(page(.hebrew).heading == "Dr. House")
    let list = portal.visitor(language: .russian).get("/appointments/doctors")
    #expect(list.hasRow("Грегори Хаус") && list.hasRow("Иврит, английский"))
  }

  @Test func `an administrator edits a doctor's public details`() throws {
    let admin = try portal.administrator()
    let fields =
      [("doctor_name", "Dr. House"), ("doctor_department", "\(town.department)")] + Self.fields
    #expect(try admin.submit(town.doctorPath + "/edit", pairs: fields).status == 303)
    #expect(page(.english).heading == "Gregory House")
    #expect(admin.get(town.doctorPath).fact("Languages") == "Hebrew, English")
    #expect(admin.get(town.doctorPath + "/edit").hasValue("Грегори Хаус", of: "doctor_name_ru"))
    #expect(town.doctorVisitor.get(own).hasValue("Solves puzzles.", of: "doctor_about_en"))
  }

  @Test func `a doctor's price and year of beginning are shown, and if no new patient is accepted`()
    throws
  {
    let facts = [("new_patients", "accepted"), ("fee", "60 BYN"), ("practice_since", "2009")]
    #expect(try town.doctorVisitor.submit(own, pairs: Self.fields + facts).status == 303)
    let shown = page(.english)
    #expect(!shown.contains("new patients") && shown.fact("Price of a visit") == "60 BYN")
    #expect(shown.fact("In practice since") == "2009")
    let list = portal.visitor().get("/appointments/doctors")
    #expect(list.hasRow("60 BYN") && !list.contains("new patients"))
    let anna = try portal.register()
    #expect(
      anna.get(town.confirmation("2026-05-05", "09:00")).fact("Price of a visit") == "60 BYN")
    let path = try town.book(anna, "2026-05-05", "09:00")
    #expect(anna.get(path).fact("Price of a visit") == "60 BYN")
    #expect(anna.get(path + "?booked=1").fact("Price of a visit") == "60 BYN")
    for (field, value) in [("new_patients", "maybe"), ("practice_since", "12")] {
      let answer = try town.doctorVisitor.submit(own, pairs: Self.fields + [(field, value)])
      #expect(answer.refuses(field), "\(field)")
    }
    let refusing = Self.fields + [("new_patients", "refused")]
    #expect(try town.doctorVisitor.submit(own, pairs: refusing).status == 303)
    #expect(page(.english).hasBadge("No new patients"))
    #expect(portal.visitor().get("/appointments/doctors").hasRow("No new patients"))
  }

  @Test func `nobody else opens a doctor's form`() throws {
    let other = try portal.doctor()
    #expect(other.get(own).status == 404)
    #expect(try portal.register().get(own).status == 403)
    #expect(portal.visitor().get(own).status == 303)
    #expect(other.get("/appointments/doctors/\(town.doctor)").link(to: own) == nil)
    #expect(town.doctorVisitor.get("/appointments/doctors/99/edit").status == 404)
  }

  @Test func `an unknown language and a text that is too long are refused`() throws {
    let language = try town.doctorVisitor.submit(own, pairs: [("spoken_language", "klingon")])
    #expect(language.refuses("spoken_language-1"))
    let text = ["doctor_about_en": String(repeating: "x", count: 1_001)]
    #expect(try town.doctorVisitor.submit(own, text).refuses("doctor_about_en"))
  }

  @Test func `the details are encrypted in the database and part of the doctor's export`() throws {
    _ = try town.doctorVisitor.submit(own, pairs: Self.fields)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("Gregory") && !stored.contains("Solves puzzles"))
    let copy = String(describing: try portal.export(of: town.doctorVisitor, from: "appointments"))
    #expect(copy.contains("Gregory House") && copy.contains("Solves puzzles."))
    #expect(try portal.problems() == [])
  }

  @Test func `markup in a doctor's details is escaped`() throws {
    let typed = "<script>alert(1)</script>"
    _ = try town.doctorVisitor.submit(own, ["doctor_name_en": typed, "doctor_about_en": typed])
    #expect(!page(.english).contains(typed))
    #expect(!portal.visitor().get("/appointments/doctors").contains(typed))
  }
}
