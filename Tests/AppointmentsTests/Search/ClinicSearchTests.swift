import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// A town with three more clinics: one for children, a hospital far away, and one without
/// coordinates.
struct Clinics {
  let town: Town
  let children: ID<Clinic>
  let hospital: ID<Clinic>
  let hidden: ID<Clinic>

  var portal: TestPortal { town.portal }

  init() throws {
    town = try Town()
    (children, hospital, hidden) = try town.portal.write { connection in
      (
        try Self.clinic(
          "Children’s House", "Детская", "מרפאת ילדים", city: "Minsk", 53.95, 27.6,
          isPediatric: true,
          on: connection),
        try Self.clinic(
          "River Hospital", "Речная больница", "", city: "Brest", 52.098, 23.734, isHospital: true,
          on: connection),
        try Self.clinic("Quiet Clinic", "", "", city: "Minsk", nil, nil, on: connection)
      )
    }
  }

  static func clinic(
    _ english: String, _ russian: String, _ hebrew: String, city: String, _ latitude: Double?,
    _ longitude: Double?, isPediatric: Bool = false, isHospital: Bool = false,
    on connection: Work
  ) throws -> ID<Clinic> {
    var clinic = ClinicDraft()
    clinic.name = LocalizedText(english: english, russian: russian, hebrew: hebrew)
    (clinic.street, clinic.houseNumber, clinic.city) = ("Lenina", "5", city)
    (clinic.country, clinic.zone, clinic.phone) = ("BY", "Europe/Minsk", "+375 17 001")
    (clinic.latitude, clinic.longitude) = (latitude, longitude)
    (clinic.isPediatric, clinic.isHospital) = (isPediatric, isHospital)
    return try clinic.insert(in: connection)
  }

  func close(_ clinic: ID<Clinic>) throws {
    _ = try portal.database.write { connection in
      try connection.run(
        """
        UPDATE appointments_clinics SET closed_at = \(TestPortal.start) WHERE id_clinic = \(clinic)
        """)
    }
  }
}

@Suite struct ClinicSearchTests {
  private let clinics: Clinics
  private var portal: TestPortal { clinics.portal }

  init() throws { clinics = try Clinics() }

  private func list(_ query: String, _ language: Language = .english) -> String {
    let page = portal.visitor(language: language).get("/appointments/clinics\(query)")
    #expect(page.status == 200)
    return page.body
  }

  @Test func `visitors see the clinics without signing in`() {
    let page = list("")
    #expect(page.contains("4 clinics"))
    for name in ["First Clinic", "Children’s House", "River Hospital", "Quiet Clinic"] {
      #expect(page.contains(name))
    }
    #expect(list("", .russian).contains("Первая клиника"))
    #expect(list("", .hebrew).contains("מרפאת ילדים"))
    // A visitor has no home address, so the page shows no distances.
    #expect(!page.contains(" km"))
  }

  @Test func `a portal without clinics says so`() throws {
    let page = try TestPortal(AppointmentsModule()).visitor().get("/appointments/clinics")
    #expect(page.hasSection("No clinics yet"))
    #expect(!page.contains("type=\"search\""))
  }

  @Test func `a search finds names and addresses in every language and in either case`() {
    for words in [
      "river", "RIVER", "речная", "РЕЧНАЯ БОЛЬНИЦА", "brest", "hospital lenina", "Брест",
    ] {
      let page = list("?q=\(percentEncoded(words))")
      #expect(page.contains("River Hospital"), "\(words)")
      #expect(!page.contains("Quiet Clinic"), "\(words)")
    }
    #expect(list("?q=%D7%99%D7%9C%D7%93%D7%99%D7%9D").contains("Children’s House"))
    #expect(list("?q=\(percentEncoded("Беларусь"))").contains("4 clinics"))
    #expect(list("?q=zzz").contains("No clinics found"))
  }

  @Test
  func
    `a search for signs of a danger to life, or without a result, says how to call an ambulance`()
  {
    for words in ["chest+pain", "zzz"] { #expect(list("?q=\(words)").contains("tel:103")) }
    for words in ["river", ""] { #expect(!list("?q=\(words)").contains("tel:103")) }
  }

  @Test func `a search finds clinics by what they treat, in everyday words and with the town`() {
    for words in [
      "heart", "cardiologist minsk", "сердце", "кардиолог Минск", "רופא לב", "my heart hurts",
      "болит сердце",
    ] {
      let page = list("?q=\(percentEncoded(words))")
      #expect(page.contains("First Clinic") && !page.contains("Quiet Clinic"), "\(words)")
    }
    for words in ["kids", "ребенок", "дети", "ילדים"] {
      #expect(list("?q=\(percentEncoded(words))").contains("Children’s House"), "\(words)")
    }
    #expect(!list("?q=dentist").contains("First Clinic"))
    #expect(portal.visitor().get("/appointments/clinics/map?q=heart").contains("First Clinic"))
  }

  @Test func `filters by kind and specialization narrow the list`() {
    #expect(list("?pediatric=1").contains("1 clinic"))
    #expect(list("?pediatric=1").contains("Children’s House"))
    #expect(list("?hospital=1").contains("River Hospital"))
    #expect(list("?pediatric=1&hospital=1").contains("No clinics found"))
    #expect(list("?pediatric=0").contains("4 clinics"))
    #expect(list("?specialization=cardiology").contains("First Clinic"))
    #expect(!list("?specialization=cardiology").contains("River Hospital"))
    #expect(list("?specialization=nonsense").contains("4 clinics"))
  }

  @Test func `a closed clinic is not listed, and its page says that it is closed`() throws {
    try clinics.close(clinics.hospital)
    #expect(!list("").contains("River Hospital"))
    let page = portal.visitor().get("/appointments/clinics/\(clinics.hospital)")
    #expect(page.hasNotice(.warning, "has been closed since 4 May 2026"))
    #expect(!page.contains("Choose as my clinic"))
  }

  @Test func `a clinic's page shows its position, phone, departments, doctors and hours`() {
    let page = portal.visitor().get("/appointments/clinics/\(clinics.town.clinic)")
    for part in [
      "href=\"https://www.openstreetmap.org/directions?to=53.900000,27.570000\"",
      "href=\"tel:+37517000\"", "Cardiology",
      "href=\"/appointments/doctors/\(clinics.town.doctor)\"", "Dr. House",
      "Mon–Fri <bdi>09:00–17:00</bdi>", "Sign in to choose this clinic",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    for unknown in ["999", "abc", "-1", "9223372036854775808"] {
      #expect(portal.visitor().get("/appointments/clinics/\(unknown)").status == 404)
    }
  }

  @Test func `a clinic's page shows its doctors with their next free times and step-free access`()
    throws
  {
    let path = "/appointments/clinics/\(clinics.town.clinic)"
    let page = portal.visitor().get(path)
    #expect(page.hasRow("Dr. House") && page.hasLink(with: "date=2026-05-04&time="))
    #expect(page.main.all("h3").map(\.text) == ["Cardiology"])
    #expect(page.main.all("h4").map(\.text) == ["Dr. House"])
    #expect(page.fact("Today") == "09:00–17:00" && !page.contains("geo:"))
    #expect(page.hasLink("Call") && page.hasLink("Book an appointment"))
    #expect(!page.hasBadge("Step-free access"))
    try portal.write {
      _ = try $0.run("UPDATE appointments_clinics SET step_free = 1")
    }
    #expect(portal.visitor().get(path).hasBadge("Step-free access"))
  }

  @Test func `a clinic's page lists its coming closed days`() throws {
    _ = try portal.database.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_exceptions (clinic, date, starts, ends, kind) VALUES
          (\(clinics.town.clinic), '2026-05-09', 0, 1440, 'off'),
          (\(clinics.town.clinic), '2026-05-03', 0, 1440, 'off'),
          (\(clinics.town.clinic), '2026-05-11', 720, 1440, 'off')
        """)
    }
    let page = portal.visitor().get("/appointments/clinics/\(clinics.town.clinic)")
    #expect(page.hasFact("9 May 2026"))
    #expect(page.contains("11 May 2026 <bdi>12:00–24:00</bdi>"))
    #expect(!page.contains("3 May 2026"))
  }

  @Test func `the list shows the distance from the patient's home`() throws {
    let anna = try portal.register()
    let page = anna.get("/appointments/clinics").body
    #expect(page.contains("325 km") && page.contains("in a straight line from the centre of "))
    #expect(!portal.visitor().get("/appointments/clinics").contains("straight line"))
    let lost = try portal.register(["city": "Nowhere-at-all"])
    #expect(!lost.get("/appointments/clinics").contains(" km"))
  }

  @Test func `markup in a search or a clinic's name is escaped`() throws {
    let typed = "<script>\"'&"
    #expect(!list("?q=\(percentEncoded(typed))").contains("<script>\""))
    _ = try portal.write { connection in
      try Clinics.clinic(typed, "", "", city: typed, 53.91, 27.58, on: connection)
    }
    for path in ["/appointments/clinics", "/appointments/clinics/map"] {
      #expect(!portal.visitor().get(path).contains("<script>\""))
    }
  }
}

private func percentEncoded(_ text: String) -> String {
  text.utf8.map { byte in
    let digits = String(byte, radix: 16)
    return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
  }.joined()
}
