import PolyclinicCore
import PolyclinicPlaces
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct NearestTests {
  private static let page = "/appointments/clinics/nearest"
  private let clinics: Clinics
  private var portal: TestPortal { clinics.portal }

  init() throws { clinics = try Clinics() }

  private func ask(_ fields: [String: String]) throws -> TestPage {
    try portal.visitor().submit(Self.page, fields)
  }

  @Test func `the near clinics are shown below the folded form, and no link contains the position`()
    throws
  {
    let page = try ask(["lat": "52.1", "lon": "23.7"])
    #expect(page.status == 200)
    #expect(page.location.isEmpty)
    let body = page.body
    let hospital = try #require(body.range(of: "<strong><bdi>River Hospital"))
    #expect(!body.contains("First Clinic"))
    #expect(body.contains("2.3 km"))
    #expect(page.hasSection("Clinics near you"))
    // The ways to another place stand before the result.
    let form = try #require(body.range(of: "id=\"city\""))
    let position = try #require(body.range(of: "data-position"))
    #expect(form.lowerBound < hospital.lowerBound && position.lowerBound < form.lowerBound)
    #expect(body.contains("<summary>Search near another town</summary>"))
    // Neither a link nor an input of the page contains the position.
    #expect(!body.contains("52.1\"") && !body.contains("lat=") && !body.contains("23.7"))
  }

  @Test func `the city field is required`() throws {
    let body = portal.visitor().get(Self.page).body
    let town = try #require(body.range(of: "<label for=\"city\">"))
    let country = try #require(body.range(of: "<label for=\"country\">"))
    let field = body[town.upperBound..<country.lowerBound]
    #expect(field.contains(" required") && !field.contains("optional"))
  }

  @Test func `a position is not stored in the database`() throws {
    let anna = try portal.register()
    let page = try anna.submit(Self.page, ["lat": "52.123456", "lon": "23.654321"])
    #expect(page.status == 200)
    let stored = String(decoding: try portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("52.123") && !stored.contains("23.654"))
  }

  @Test func `a city is found in any language, with or without a country`() throws {
    for fields in [
      ["city": "Brest", "country": "BY"], ["city": "брест", "country": "BY"],
      ["city": " BREST ", "country": "BY"], ["city": "Гродно", "country": ""],
    ] {
      let page = try ask(fields)
      #expect(page.status == 200, "\(fields)")
      #expect(page.contains("Nearest</span>"), "\(fields)")
    }
    #expect(try ask(["city": "Brest", "country": "BY"]).hasSection("Clinics near Brest"))
    // Many towns share a name, so the page names the country.
    #expect(try ask(["city": "Minsk", "country": ""]).hasSection("Clinics near Minsk, Belarus"))
    #expect(try ask(["city": "Grodnoo", "country": ""]).hasButton("Hrodna, Belarus"))
  }

  @Test func `a town far from every clinic has no nearest clinics`() throws {
    let page = try ask(["city": "London", "country": "GB"])
    #expect(page.status == 200 && page.hasSection("No clinics near London"))
    #expect(page.contains("River Hospital") && !page.contains("<svg viewBox"))
    #expect(page.hasLink(to: "/appointments/clinics/map"))
  }

  @Test func `an invalid position or unknown city is refused with 422 beside its field`() throws {
    for (fields, error) in [
      (["lat": "91", "lon": "181"], "lat-error"), (["lat": "0", "lon": "181"], "lon-error"),
      (["lat": "NaN", "lon": "NaN"], "lat-error"), (["lat": "inf", "lon": "0"], "lat-error"),
      (["lat": "1e309", "lon": "0"], "lat-error"), (["lat": "53.9"], "city-error"),
      ([:], "city-error"), (["city": ""], "city-error"), (["city": "Qwxzv"], "city-error"),
      (["city": "Brest", "country": "XX"], "country-error"),
      (["city": String(repeating: "x", count: 101)], "city-error"),
      (["city": "Minsk", "country": "IL"], "city-error"),
    ] {
      let page = try ask(fields)
      #expect(page.status == 422, "\(fields)")
      #expect(page.contains("id=\"\(error)\""), "\(fields)")
      #expect(page.contains("role=\"alert\""), "\(fields)")
      #expect(!page.contains("<svg viewBox"), "\(fields)")
    }
  }

  @Test func `an unknown city is refused with a similar name as a suggestion`() throws {
    let page = try ask(["city": "Grodnoo", "country": "BY"])
    #expect(page.status == 422)
    #expect(page.hasValue("Grodnoo"))
    #expect(page.hasButton("Hrodna"))
    #expect(try ask(["city": "Hrodna", "country": "BY"]).hasSection("Clinics near Hrodna"))
  }

  @Test func `an unknown city without a similar name is refused with other ways to a clinic`()
    throws
  {
    for city in ["Xyzzy", "Qwxzv"] {
      let page = try ask(["city": city, "country": ""])
      #expect(page.status == 422 && !page.contains("Shymkent"))
      #expect(page.hasLink(to: "/appointments/clinics/map"))
      #expect(page.hasLink(to: "/appointments/clinics"))
    }
  }

  @Test func `a signed-in patient sees the clinics near home at once`() throws {
    let anna = try portal.register(["city": "Brest"])
    let page = anna.get(Self.page)
    #expect(page.hasSection("Clinics near Brest"))
    #expect(page.hasValue("Brest"))
    #expect(!portal.visitor().get(Self.page).contains("Clinics near"))
  }

  @Test func `the position section is hidden, and the page loads the position script`() {
    let page = portal.visitor().get(Self.page)
    #expect(page.contains("data-position hidden"))
    #expect(page.contains("position."))
  }

  @Test func `a form without a CSRF token is refused with 403 and keeps its input`() {
    let page = portal.visitor().post(Self.page, pairs: [("city", "Brest")])
    #expect(page.status == 403)
    #expect(page.hasValue("Brest"))
  }
}

@Suite struct ClinicMapTests {
  @Test func `the map links each clinic that has coordinates, numbered as in the list`() throws {
    let clinics = try Clinics()
    let page = clinics.portal.visitor().get("/appointments/clinics/map").body
    #expect(page.contains("<svg viewBox=\"0 0 640 480\""))
    for clinic in [clinics.town.clinic, clinics.children, clinics.hospital] {
      #expect(page.contains("<a href=\"/appointments/clinics/\(clinic)\" class=\"mark\""))
    }
    #expect(!page.contains("<a href=\"/appointments/clinics/\(clinics.hidden)\" class"))
    #expect(page.contains("Quiet Clinic"))
    #expect(page.contains("aria-label=\"1. Children’s House\""))
    #expect(page.contains("<span class=\"initial\">1</span>"))
    #expect(!page.contains("style="))
    #expect(!page.contains("Nearest</span>"))
  }

  @Test func `the map marks the clinic nearest to home`() throws {
    let clinics = try Clinics()
    let anna = try clinics.portal.register(["city": "Brest"])
    let page = anna.get("/appointments/clinics/map").body
    #expect(page.contains("class=\"mark nearest\" aria-label=\"1. River Hospital, 1.7 km"))
    // The place of departure is painted last, so that no mark hides it.
    let here = try #require(page.range(of: "class=\"here\""))
    let mark = try #require(page.range(of: "class=\"mark"))
    #expect(mark.lowerBound < here.lowerBound)
  }

  @Test func `the mark of a closed clinic is hollow`() throws {
    let clinics = try Clinics()
    func page() -> String { clinics.portal.visitor().get("/appointments/clinics/map").body }
    #expect(!page().contains("class=\"mark closed\""))
    clinics.portal.now = TestPortal.start + .hours(12)
    #expect(page().contains("class=\"mark closed\"") && page().contains("First Clinic, Closed now"))
  }

  @Test func `the clinics in the chosen part of the map are listed first`() throws {
    let visitor = try Clinics().portal.visitor()
    let all = visitor.get("/appointments/clinics/map").rows
    let brest = visitor.get("/appointments/clinics/map?zoom=7&lat=52.1&lon=23.7").rows
    #expect(all.first?.contains("River Hospital") == false && all.count == brest.count)
    #expect(brest.first?.contains("River Hospital") == true)
  }

  @Test func `the map applies the filters and says when no clinic matches`() throws {
    let visitor = try Clinics().portal.visitor()
    #expect(visitor.get("/appointments/clinics/map?hospital=1").contains("1 clinic"))
    #expect(visitor.get("/appointments/clinics/map?q=zzz").contains("No clinics found"))
  }

  @Test func `the projection keeps distance and direction, across the date line too`() throws {
    func place(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
      try #require(Coordinates(latitude: latitude, longitude: longitude))
    }
    let (minsk, brest) = (try place(53.9, 27.567), try place(52.098, 23.734))
    let map = try #require(MapProjection(showing: [minsk, brest]))
    let drawn = map.point(of: minsk).distance(to: map.point(of: brest)) * map.scale
    #expect(abs(drawn - minsk.distance(to: brest)) < 3)
    #expect(map.point(of: minsk).x > map.point(of: brest).x)
    #expect(map.point(of: minsk).y < map.point(of: brest).y)
    // Fiji lies on both sides of the 180th meridian.
    let (suva, taveuni) = (try place(-18.14, 178.44), try place(-16.8, -179.97))
    let fiji = try #require(MapProjection(showing: [suva, taveuni]))
    #expect(fiji.point(of: taveuni).x > fiji.point(of: suva).x)
    #expect(fiji.scale < 1)
  }

  @Test func `the projection handles one place, the poles and no place`() throws {
    #expect(MapProjection(showing: []) == nil)
    for (latitude, longitude) in [(0.0, 0.0), (90, 0), (-90, 180), (53.9, -180)] {
      let place = try #require(Coordinates(latitude: latitude, longitude: longitude))
      let map = try #require(MapProjection(showing: [place, place]))
      let point = map.point(of: place)
      #expect(point.x == 320 && point.y == 240)
      #expect(map.scaleBar > 0 && map.scaleBar / map.scale <= 160)
    }
    let ends = [
      try #require(Coordinates(latitude: 90, longitude: -180)),
      try #require(Coordinates(latitude: -90, longitude: 179)),
    ]
    let world = try #require(MapProjection(showing: ends))
    #expect((0...640).contains(world.point(of: ends[0]).x))
  }

  @Test func `overlapping markers are drawn apart`() {
    let house = MapProjection.Point(x: 320, y: 240)
    let points = ClinicMap.apart(Array(repeating: house, count: 20))
    #expect(points[0] == house)
    for (index, point) in points.enumerated() {
      for other in points[..<index] { #expect(point.distance(to: other) >= 48) }
      #expect((0...640).contains(point.x) && (0...480).contains(point.y))
    }
  }
}
