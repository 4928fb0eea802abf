import PolyclinicCore
import PolyclinicPlaces
import PolyclinicTesting
import Testing

@testable import Appointments

/// The form in which an administrator enters and edits clinics.
@Suite struct ClinicFormTests {
  private let list = "/appointments/admin/clinics"

  @Test func `a new clinic's time zone is asked for, or that of another clinic`() throws {
    let portal = try TestPortal(AppointmentsModule(), zone: .utc)
    let admin = try portal.administrator()
    let path = "/appointments/admin/clinics/new"
    #expect(admin.get(path).value(of: "time_zone") == "")
    #expect(
      try admin.submit(path, TestVisitor.clinicFields.merging(["time_zone": ""]) { $1 })
        .refuses("time_zone"))
    _ = try admin.enterClinic()
    #expect(admin.get(path).value(of: "time_zone") == "Europe/Minsk")
  }

  @Test func `an empty clinic list links to the form for a new clinic`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let page = admin.get(list)
    #expect(page.status == 200 && page.hasSection("No clinics yet"))
    #expect(page.hasLink(to: "/appointments/admin/clinics/new"))
    #expect(admin.get("/appointments/admin").location == list)
    #expect(admin.get("/").hasLink(to: list))
  }

  @Test func `a new clinic's page shows the entered fields`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic()
    let page = admin.get(path)
    for text in [
      "<h1><bdi>River Clinic</bdi></h1>", "Речная клиника", "Second floor", "53.9, 27.5667",
      "+375 17 123", "Europe/Minsk", "For children", "Long Street, 12a", "Belarus",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("<span class=\"badge\">Hospital"))
    #expect(admin.get(list).hasRow("River Clinic"))
    #expect(admin.get(list).contains("1 clinic<"))
  }

  @Test func `only fields that may all be empty are called optional`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let labels = admin.get(list + "/new").main.all("label")
    func isOptional(_ name: String) -> Bool? {
      labels.first { $0.attributes["for"] == name }.map { $0.text.contains("optional") }
    }
    for name in ["name_en", "name_ru", "name_he", "city"] { #expect(isOptional(name) == false) }
    for name in ["about_en", "phone", "website"] { #expect(isOptional(name) == true) }
  }

  @Test func `the time zone of a new clinic defaults to the portal's`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let page = admin.get(list + "/new")
    #expect(page.contains("id=\"time_zone\"") && page.hasValue("Europe/Minsk"))
    #expect(page.contains("<option value=\"Asia/Kathmandu\">"))
  }

  @Test func `a clinic with a name in one language is shown under that name`() throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    let path = try admin.enterClinic(["name_en": "", "name_ru": "", "name_he": "מרפאת הנהר"])
    #expect(admin.get(path).heading == "מרפאת הנהר")
  }

  @Test(arguments: [
    ("latitude", "91", "latitude"), ("longitude", "181", "longitude"),
    ("latitude", "NaN", "latitude"), ("longitude", "1e309", "longitude"),
    ("latitude", "-90.0001", "latitude"), ("longitude", "inf", "longitude"),
    ("latitude", "", "latitude"), ("longitude", "", "longitude"), ("latitude", "5 3", "latitude"),
    ("time_zone", "Mars/Olympus", "time_zone"), ("time_zone", "Olympus", "time_zone"),
    ("time_zone", "", "time_zone"),
    ("time_zone", "../../etc/passwd", "time_zone"), ("country", "XX", "country"),
    ("country", "by", "country"), ("country", "", "country"), ("city", " ", "city"),
    ("street", "", "street"), ("house_number", "-", "house_number"), ("phone", "call me", "phone"),
    ("name_en", String(repeating: "x", count: 201), "name_en"),
    ("name_en", "a\u{202E}b", "name_en"),
    ("about_he", String(repeating: "א", count: 2_001), "about_he"),
  ])
  func `an invalid clinic field is refused with 422 and an error beside it`(
    _ field: String, _ value: String, _ where: String
  ) throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    let fields = TestVisitor.clinicFields.merging([field: value]) { $1 }
    let page = try admin.submit(list + "/new", fields)
    #expect(page.status == 422)
    #expect(page.hasError(of: `where`))
    #expect(page.value(of: "name_ru") == "Речная клиника")
    #expect(try portal.count("SELECT count(*) FROM appointments_clinics") == 0)
  }

  @Test(arguments: [
    ("Minsk", "Europe/Minsk"), ("new york", "America/New_York"), ("UTC", "UTC"),
    ("Asia/Jerusalem", "Asia/Jerusalem"),
  ])
  func `a time zone is entered by its name or by the city in it`(
    _ typed: String, _ zone: String
  ) throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic(["time_zone": typed])
    #expect(admin.get(path + "/edit").value(of: "time_zone") == zone)
  }

  @Test func `a clinic without a name in any language is refused`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let fields = TestVisitor.clinicFields.merging(["name_en": " ", "name_ru": ""]) { $1 }
    let page = try admin.submit(list + "/new", fields)
    #expect(page.refuses("name_en"))
  }

  @Test func `latitude and longitude must be entered together or not at all`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic(["latitude": "", "longitude": ""])
    #expect(!admin.get(path).contains("Coordinates"))
    #expect(try admin.submit(path + "/edit", ["latitude": "1"]).status == 422)
  }

  @Test func `a clinic takes the position of its town's centre if asked to`() throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    let path = try admin.enterClinic([
      "city": "Минск", "latitude": "", "longitude": "", "town_position": "yes",
    ])
    #expect(admin.get(path).fact("Coordinates")?.hasPrefix("53.9") == true)
    #expect(admin.get(path + "/edit").value(of: "town_position") == nil)
    let unknown = TestVisitor.clinicFields.merging(
      ["city": "Nowhere-at-all", "town_position": "yes"]) { $1 }
    #expect(try admin.submit(list + "/new", unknown).refuses("city"))
    #expect(try portal.count("SELECT count(*) FROM appointments_clinics") == 1)
  }

  @Test func `the edit form shows stored values, and a concurrent edit fails with 409`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic()
    let form = admin.get(path + "/edit")
    #expect(form.hasValue("53.9") && form.contains("value=\"BY\" selected"))
    let late = form.hidden(of: path + "/edit")
    var fields = TestVisitor.clinicFields
    fields["name_en"] = "Lake Clinic"
    #expect(try admin.submit(path + "/edit", fields).location == path)
    #expect(admin.get(path).heading == "Lake Clinic")
    fields["name_en"] = "Sea Clinic"
    let answer = admin.post(path + "/edit", pairs: late + fields.map { ($0.key, $0.value) })
    #expect(
      answer.status == 409 && answer.hasRow("Lake Clinic")
        && answer.value(of: "name_en") == "Sea Clinic")
  }

  @Test(arguments: ["", "/edit", "/close", "/delete", "/desk", "/desk/new", "/departments/new"])
  func `every page of an unknown clinic returns 404`(_ page: String) throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    for id in ["999", "0", "-1", "x", "99999999999999999999"] {
      #expect(admin.get("\(list)/\(id)\(page)").status == 404, "\(id)")
    }
  }

  @Test func `only administrators can open the administration of clinics`() throws {
    let town = try Town()
    for path in [list, list + "/new", town.clinicPath, town.doctorPath, town.departmentPath] {
      #expect(town.doctorVisitor.get(path).status == 403)
      #expect(town.portal.visitor().get(path).status == 303)
    }
    #expect(!town.doctorVisitor.get("/").contains(list))
  }

  @Test func `markup in a clinic's fields is escaped`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic(["name_en": "<script>alert(1)</script>", "about_en": "<b>x"])
    #expect(!admin.get(path).contains("<script>alert"))
    #expect(admin.get(path).contains("&lt;b&gt;x"))
  }
}
