import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The import of a map, and the page that shows it.
@Suite struct MapImportTests {
  private static let page = "/appointments/clinics/map"
  private static let file = """
    {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"natural":"water","name:en":"Swan Lake","name:he":"אגם הברבורים"},
       "geometry":{"type":"Polygon","coordinates":[[[27.4,53.7],[27.9,53.7],[27.9,54.0],[27.4,54.0],[27.4,53.7]]]}},
      {"type":"Feature","properties":{"highway":"primary","name":"<b>Main</b> Street"},
       "geometry":{"type":"LineString","coordinates":[[27.0,53.948],[28.0,53.948]]}},
      {"type":"Feature","properties":{"place":"suburb","name:en":"Old Town"},
       "geometry":{"type":"Point","coordinates":[27.606,53.953]}}]}
    """

  private let clinics: Clinics
  private var portal: TestPortal { clinics.portal }

  init() throws { clinics = try Clinics() }

  private func run(_ file: String, _ words: String...) throws -> TestPortal.Output {
    let path = FileManager.default.temporaryDirectory.path + "/polyclinic-map-\(UUID().uuidString)"
    try Data(file.utf8).write(to: URL(filePath: path))
    defer { unlink(path) }
    return try portal.run("appointments", ["import-map", path] + words)
  }

  private func map(_ language: Language = .english, _ query: String = "?pediatric=1") -> TestPage {
    portal.visitor(language: language).get(Self.page + query)
  }

  @Test func `an imported map is drawn with its names and attribution`() throws {
    #expect(try run(Self.file, "--attribution", "© Mappers & Co").text.contains("1 waters"))
    let page = map()
    for part in ["class=\"water\"", "class=\"main-road\"", "Old Town", "© Mappers &amp; Co"] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains("<b>"))
    #expect(map(.hebrew, "?pediatric=1&zoom=5&lat=53.85&lon=27.65").contains("אגם הברבורים"))
  }

  @Test func `a dry run and a refused file change nothing`() throws {
    #expect(try run(Self.file, "--dry-run").text.contains("dry run"))
    #expect(!map().contains("class=\"water\""))
    _ = try run(Self.file)
    for other in ["{}", "<osm/>"] {
      let refused = try run(other)
      #expect(refused.status == 1 && refused.text.contains("Nothing was imported"))
    }
    #expect(map().contains("class=\"water\""))
  }

  @Test func `a later import replaces the map, and it can be removed`() throws {
    _ = try run(Self.file)
    _ = try run(Self.file.replacing("Old Town", with: "New Town"))
    #expect(map().contains("New Town") && !map().contains("Old Town"))
    #expect(try portal.run("appointments", ["remove-map"]).text.contains("was removed"))
    #expect(!map().contains("class=\"water\""))
    #expect(try portal.run("appointments", ["remove-map"]).text.contains("no imported map"))
  }

  @Test func `a map without an import shows the names of towns`() {
    let page = map(.russian, "")
    #expect(page.contains("class=\"town\"") && page.contains("Барановичи"))
    #expect(!page.contains("graticule"))
  }

  @Test func `links zoom and move the map, and lead back to all clinics`() throws {
    let page = map(.english, "?q=clinic&zoom=7&lat=53.9&lon=27.57")
    #expect(page.hasLink(to: "\(Self.page)?q=clinic&zoom=8&lat=53.9&lon=27.57#map"))
    #expect(page.hasLink(to: "\(Self.page)?q=clinic&zoom=6&lat=53.9&lon=27.57#map"))
    #expect(page.hasLink(to: "\(Self.page)?q=clinic#map"))
    #expect(page.contains("class=\"mark\" aria-label=\"1. First Clinic"))
  }

  @Test(arguments: [
    "zoom=99&lat=1&lon=1", "zoom=1&lat=NaN&lon=1", "zoom=1&lat=91&lon=1", "zoom=1&lat=1",
    "zoom=-1&lat=1&lon=1",
    "zoom=1&lat=inf&lon=inf", "zoom=x&lat=&lon=",
  ])
  func `an invalid part of the map shows all clinics`(_ query: String) {
    let page = map(.english, "?" + query)
    #expect(page.status == 200)
    #expect(page.contains("class=\"mark\" aria-label=\"1. Children’s House"))
  }

  @Test(arguments: [
    "zoom=0&lat=90&lon=180", "zoom=12&lat=-90&lon=-180", "zoom=12&lat=0&lon=0",
    "zoom=0&lat=0&lon=179.999",
  ])
  func `a map at the end of the earth is drawn`(_ query: String) throws {
    _ = try run(Self.file)
    #expect(map(.english, "?" + query).status == 200)
  }

  @Test func `map links do not contain the patient's home position`() throws {
    let anna = try portal.register(["city": "Hrodna"])
    let own = anna.get(Self.page)
    let everybodys = map(.english, "")
    func links(_ page: TestPage) -> [Substring] {
      page.body.matches(of: /zoom=[^"]*/).map(\.output)
    }
    #expect(!links(own).isEmpty && links(own) == links(everybodys))
  }
}
