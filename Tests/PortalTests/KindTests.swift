import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The colours and icons of the kinds of data.
@Suite struct KindTests {
  @Test func `each card of the home page has the colour and the icon of its kind of data`() throws {
    let cards = try FilledPortal().patient.get("/").main.all { $0.hasClass("card") }
    let icons = [
      "appointments": "pin", "contacts": "address-book", "weight": "scale",
      "pressure": "heart-pulse", "covid": "chart", "vaccination": "qr",
    ]
    for (kind, icon) in icons {
      let heading = cards.filter { $0.hasClass("kind-\(kind)") }.compactMap {
        $0.first { $0.name == "h2" }
      }
      #expect(
        heading.contains { Self.icon(of: $0)?.hasSuffix("#\(icon)") == true && !$0.text.isEmpty },
        "\(kind)")
    }
  }

  @Test func `each page and each chart has the colour of its kind of data`() throws {
    let filled = try FilledPortal()
    for (page, kind) in [
      ("/appointments", "appointments"), ("/contacts", "contacts"),
      ("/vaccination-qr", "vaccination"),
      ("/covid-stats/trend", "covid"),
    ] {
      #expect(filled.patient.get(page).main.hasClass("kind-\(kind)"), "\(page)")
    }
    #expect(!Self.charts(filled.patient.get("/covid-stats/trend")).isEmpty)
    for (page, kinds) in [
      ("/health-metrics/weights/chart", ["weight"]),
      ("/health-metrics/blood-pressure/chart", ["pressure"]),
      ("/health-metrics", ["pressure", "weight"]),
      ("/health-metrics/report", ["pressure", "weight"]),
    ] {
      let charts = Self.charts(filled.patient.get(page))
      #expect(charts.count == kinds.count, "\(page)")
      for (chart, kind) in zip(charts, kinds) { #expect(chart.hasClass("kind-\(kind)"), "\(page)") }
    }
  }

  @Test func `a module on the welcome page has its colour`() throws {
    let page = try FilledPortal().portal.visitor().get("/")
    #expect(page.main.first { $0.hasClass("card") }?.hasClass("kind-appointments") == true)
  }

  @Test func `a module's style for every page has the colours of its kinds, and no other`() throws {
    for module in modules {
      let sheet = module.assets.filter { $0.scope == .everyPage }.compactMap(\.content)
        .map { String(decoding: $0, as: UTF8.self) }.joined()
      let kinds = ([module.kind] + module.cards.map(\.kind)).compactMap { $0?.name.description }
      #expect(!kinds.isEmpty)
      let declared = sheet.matches(of: /\n\.kind-([a-z-]+) {/).map { String($0.1) }
      #expect(Set(kinds) == Set(declared), "\(module.id)")
    }
  }

  @Test func `the portal's own style sheets name no module and no kind of data`() throws {
    let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent()
    }
    let names = modules.map(\.id.rawValue) + modules.compactMap { $0.kind?.name.description }
    for file in try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "www/styles"), includingPropertiesForKeys: nil)
    {
      let sheet = try String(contentsOf: file, encoding: .utf8)
      for name in names { #expect(!sheet.contains(name), "\(file.lastPathComponent): \(name)") }
    }
  }

  private static func icon(of heading: TestElement) -> String? {
    heading.first { $0.name == "use" }?.attributes["href"]
  }

  private static func charts(_ page: TestPage) -> [TestElement] {
    page.main.all { $0.name == "figure" && $0.hasClass("chart") }
  }
}
