import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

@Suite struct InformationTests {
  private static let path = "/covid-stats/information"
  private static let facts = "https://www.who.int/news-room/fact-sheets/detail/"

  @Test func `the page shows symptoms, advice, their sources and the date of reading`() throws {
    let page = try TestPortal(CovidStatsModule()).register().get(Self.path)
    #expect(page.status == 200)
    #expect(page.contains("sore throat") && page.hasNotice(.danger, "Call an ambulance now"))
    #expect(page.contains("Open a window") && page.contains("call a doctor early"))
    #expect(page.body.components(separatedBy: Self.facts).count == 4)
    #expect(page.hasNotice(.danger, "Read in an archived copy on 23 November 2026."))
  }

  @Test(arguments: [
    (Language.russian, "прочитанных 23 ноября 2026", "озноб"),
    (.hebrew, "23 בנובמבר 2026", "צמרמורות"),
  ])
  func `the page and its dates are in the visitor's language`(
    language: Language, date: String, symptom: String
  ) throws {
    let page = try TestPortal(CovidStatsModule()).register(language: language).get(Self.path)
    #expect(page.contains(date) && page.contains(symptom))
  }

  @Test(arguments: [
    ("RU", "103"), ("BY", "103"), ("IL", "101"), ("DE", "112"), ("US", "911"), ("GB", "999"),
  ])
  func `the emergency number is that of the selected country`(
    country: String, number: String
  ) throws {
    let anna = try TestPortal(CovidStatsModule()).register()
    let page = anna.get("\(Self.path)?country=\(country)")
    #expect(page.contains("now: <a href=\"tel:\(number)\">"))
  }

  @Test func `a country without contacts gets advice without a number`() throws {
    let anna = try TestPortal(CovidStatsModule()).register()
    let page = anna.get("\(Self.path)?country=JP")
    #expect(page.contains("Call an ambulance now</h2>"))
    #expect(page.hasSection("Useful contacts: Japan"))
  }

  @Test func `the selected country is first, and the other contacts are collapsed`() throws {
    let anna = try TestPortal(CovidStatsModule()).register()
    let body = anna.get("\(Self.path)?country=IL").body
    let parts = body.components(separatedBy: "<details class=\"panel prose\">")
    #expect(parts.count == 2)
    #expect(parts[0].contains("href=\"tel:*5400\"") && !parts[1].contains("tel:*5400"))
    #expect(!parts[0].contains("minzdrav.gov.ru") && parts[1].contains("minzdrav.gov.ru"))
    let names = parts[1].matches(of: /<h3>([^<]*)</).map { String($0.output.1) }
    #expect(names == ["Belarus", "European Union", "Russia", "United Kingdom", "United States"])
  }

  @Test func `the page contains no form, token or login name`() throws {
    let anna = try TestPortal(CovidStatsModule()).register()
    let main = try #require(
      anna.get(Self.path).body.firstMatch(of: /<main[\s\S]*<\/main>/)?.output)
    #expect(!main.contains("<form") && !main.contains("csrf") && !main.contains(anna.login))
  }

  @Test func `the page is kept offline under the address of the selected country`() throws {
    let anna = try TestPortal(CovidStatsModule()).register()
    #expect(
      anna.get("\(Self.path)?country=IL").contains("data-keep=\"\(Self.path)?country=IL\""))
  }

  @Test func `the page without figures links to the information`() throws {
    let anna = try TestPortal(CovidStatsModule()).register()
    #expect(anna.get("/covid-stats").hasLink(to: Self.path))
  }

  @Test func `the information requires a sign-in by default`() throws {
    #expect(try TestPortal(CovidStatsModule()).visitor().get(Self.path).status == 303)
  }
}
