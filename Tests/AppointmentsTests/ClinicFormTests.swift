import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Clinics as an administrator enters and changes them.
@Suite struct ClinicFormTests {
  private let list = "/appointments/admin/clinics"

  @Test func `an installation without clinics says what to do first`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let page = admin.get(list)
    #expect(page.status == 200 && page.contains("No clinics yet"))
    #expect(page.contains("href=\"/appointments/admin/clinics/new\""))
    #expect(admin.get("/appointments/admin").location == list)
    #expect(admin.get("/").contains("href=\"\(list)\""))
  }

  @Test func `a new clinic is shown with all that was typed`() throws {
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
    #expect(admin.get(list).contains("River Clinic"))
    #expect(admin.get(list).contains("1 clinic<"))
  }

  @Test func `a clinic begins with the portal's own clocks`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let page = admin.get(list + "/new")
    #expect(page.contains("id=\"time_zone\"") && page.contains("value=\"Europe/Minsk\""))
    #expect(page.contains("<option value=\"Asia/Kathmandu\">"))
  }

  @Test func `a clinic is read in the language in which it has a name`() throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    let path = try admin.enterClinic(["name_en": "", "name_ru": "", "name_he": "מרפאת הנהר"])
    #expect(admin.get(path).contains("<h1><bdi>מרפאת הנהר</bdi></h1>"))
  }

  @Test(arguments: [
    ("latitude", "91", "latitude"), ("longitude", "181", "longitude"),
    ("latitude", "NaN", "latitude"), ("longitude", "1e309", "longitude"),
    ("latitude", "-90.0001", "latitude"), ("longitude", "inf", "longitude"),
    ("latitude", "", "latitude"), ("longitude", "", "longitude"), ("latitude", "5 3", "latitude"),
    ("time_zone", "Mars/Olympus", "time_zone"), ("time_zone", "", "time_zone"),
    ("time_zone", "../../etc/passwd", "time_zone"), ("country", "XX", "country"),
    ("country", "by", "country"), ("country", "", "country"), ("city", " ", "city"),
    ("street", "", "street"), ("house_number", "-", "house_number"), ("phone", "call me", "phone"),
    ("name_en", String(repeating: "x", count: 201), "name_en"),
    ("name_en", "a\u{202E}b", "name_en"),
    ("about_he", String(repeating: "א", count: 2_001), "about_he"),
  ])
  func `what no clinic can have is refused beside its field`(
    _ field: String, _ value: String, _ where: String
  ) throws {
    let portal = try TestPortal(AppointmentsModule())
    let admin = try portal.administrator()
    let fields = TestVisitor.clinicFields.merging([field: value]) { $1 }
    let page = try admin.submit(list + "/new", fields)
    #expect(page.status == 422)
    #expect(page.contains("id=\"\(`where`)-error\""))
    #expect(page.contains("Речная клиника"))
    #expect(try portal.count("SELECT count(*) FROM appointments_clinics") == 0)
  }

  @Test func `a clinic without a name in any language is refused`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let fields = TestVisitor.clinicFields.merging(["name_en": " ", "name_ru": ""]) { $1 }
    let page = try admin.submit(list + "/new", fields)
    #expect(page.status == 422 && page.contains("id=\"name_en-error\""))
  }

  @Test func `coordinates are both there, or neither`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic(["latitude": "", "longitude": ""])
    #expect(!admin.get(path).contains("Coordinates"))
    #expect(try admin.submit(path + "/edit", ["latitude": "1"]).status == 422)
  }

  @Test func `an edit begins with what is stored, and two of them end in no loss`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic()
    let form = admin.get(path + "/edit")
    #expect(form.contains("value=\"53.9\"") && form.contains("value=\"BY\" selected"))
    let late = form.hidden(of: path + "/edit")
    var fields = TestVisitor.clinicFields
    fields["name_en"] = "Lake Clinic"
    #expect(try admin.submit(path + "/edit", fields).location == path)
    #expect(admin.get(path).contains("Lake Clinic"))
    fields["name_en"] = "Sea Clinic"
    let answer = admin.post(path + "/edit", pairs: late + fields.map { ($0.key, $0.value) })
    #expect(answer.status == 409 && answer.contains("Lake Clinic") && answer.contains("Sea Clinic"))
  }

  @Test(arguments: ["", "/edit", "/close", "/delete", "/desk", "/desk/new", "/departments/new"])
  func `a clinic that is not there is not found`(_ page: String) throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    for id in ["999", "0", "-1", "x", "99999999999999999999"] {
      #expect(admin.get("\(list)/\(id)\(page)").status == 404, "\(id)")
    }
  }

  @Test func `nobody but an administrator gets here`() throws {
    let town = try Town()
    for path in [list, list + "/new", town.clinicPath, town.doctorPath, town.departmentPath] {
      #expect(town.doctorVisitor.get(path).status == 403)
      #expect(town.portal.visitor().get(path).status == 303)
    }
    #expect(!town.doctorVisitor.get("/").contains(list))
  }

  @Test func `markup that somebody typed stays text`() throws {
    let admin = try TestPortal(AppointmentsModule()).administrator()
    let path = try admin.enterClinic(["name_en": "<script>alert(1)</script>", "about_en": "<b>x"])
    #expect(!admin.get(path).contains("<script>alert"))
    #expect(admin.get(path).contains("&lt;b&gt;x"))
  }
}
