import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

@Suite struct PageTests {
  @Test func `before the first figures the page names the source and the refresh command`() throws {
    let page = try TestPortal(CovidStatsModule()).register().get("/covid-stats")
    #expect(page.status == 200)
    #expect(page.isEmptyList("World Health Organization"))
    #expect(page.isEmptyList("polyclinic covid-stats refresh --from FILE"))
  }

  @Test func `the default country is shown with two reports, totals, source and dates`() throws {
    let page = try portalWithFigures().register().get("/covid-stats")
    #expect(page.heading == "Russia" && page.hasRow("1,300") && page.contains("1,200"))
    #expect(page.hasRow("24,001,300") && page.hasRow("400,007"))
    #expect(page.hasLink("World Health Organization") && page.contains("figures until"))
    #expect(page.hasRow("not reported"))
  }

  @Test func `without a setting, the country is that of the person's address or of the portal`()
    throws
  {
    let portal = try portalWithFigures(country: "")
    let (anna, boris) = (
      try portal.register(["country": "RU"]),
      try portal.register(["street": "", "house_number": "", "city": "", "country": ""])
    )
    for (visitor, country) in [(anna, "Russia"), (boris, "Belarus")] {
      #expect(visitor.get("/covid-stats").heading == country)
    }
  }

  @Test func `the home page has a card of figures only for those who have chosen a country`()
    throws
  {
    let portal = try portalWithFigures(country: "")
    let anna = try portal.register(["country": "RU"])
    #expect(anna.get("/").main.all { $0.hasClass("card") }.isEmpty)
    _ = anna.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "RU"])
    let home = anna.get("/")
    #expect(home.text.contains("Russia") && home.text.contains("1,300"))
  }

  @Test
  func `a refresh within five minutes says from when the figures are, and why nothing is fetched`()
    throws
  {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    portal.now = portal.now + .minutes(4)
    let answer = anna.press("/covid-stats/refresh", on: "/covid-stats")
    let page = anna.get(answer.location)
    #expect(page.hasNotice(.plain, "These figures were fetched at 12:00."))
    #expect(page.hasNotice(.plain, "no source changes within five minutes"))
    #expect(try portal.read(RefreshState.find).requested == nil)
    let other = anna.press("/covid-stats/refresh", on: "/covid-stats?country=BY")
    let belarus = anna.get(other.location)
    #expect(belarus.heading == "Belarus" && belarus.hasNotice(.plain, "12:00"))
    portal.now = portal.now + .minutes(2)
    // An old address makes no claim.
    #expect(!anna.get(answer.location).hasNotice(.plain, "12:00"))
    let asked = anna.get(anna.press("/covid-stats/refresh", on: "/covid-stats").location)
    #expect(asked.hasNotice(.plain, "New figures are being fetched."))
    #expect(try portal.read(RefreshState.find).requested == portal.now)
  }

  @Test func `the page names the source of recovered and active cases, where its own has none`()
    throws
  {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    let sentence =
      "World Health Organization does not report recovered and active cases. "
      + "This source did, until April 2024: disease.sh."
    #expect(anna.get("/covid-stats").text.contains(sentence))
    try portal.database.write {
      _ = try $0.run("UPDATE covid_stats_refresh SET source = 'disease.sh'")
    }
    #expect(!anna.get("/covid-stats").text.contains("does not report recovered"))
    try portal.database.write {
      _ = try $0.run("UPDATE covid_stats_refresh SET source = 'who'")
      _ = try $0.run("UPDATE covid_stats_countries SET recovered = 5")
    }
    #expect(!anna.get("/covid-stats").text.contains("does not report recovered"))
  }

  @Test func `a chosen country is kept for the person's next session`() throws {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    _ = anna.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"])
    #expect(anna.get("/covid-stats").heading == "Belarus")
    #expect(anna.get("/covid-stats").contains("−3") || anna.get("/covid-stats").contains("-3"))
    let again = portal.visitor()
    _ = try again.signIn(anna.login)
    #expect(again.get("/covid-stats").heading == "Belarus")
    #expect(try portal.register().get("/covid-stats").heading == "Russia")
  }

  @Test func `a country is found by a part of its name in any language, or by its code`() throws {
    let anna = try portalWithFigures().register()
    for typed in ["belar", "бела", "בלארוס", "by", " BY "] {
      let query = typed.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let page = anna.get("/covid-stats/countries?q=\(query)")
      #expect(page.hasButton("Belarus") && !page.contains("Russia"), "\(typed)")
    }
    #expect(anna.get("/covid-stats/countries?q=nowhere").contains("0 countries"))
  }

  @Test func `the list is sorted by name, or by a figure in descending order`() throws {
    let anna = try portalWithFigures().register()
    func order(_ path: String) -> [String] {
      let text = anna.get(path).body
      return ["Belarus", "Kosovo", "Russia"].sorted {
        text.range(of: $0)!.lowerBound < text.range(of: $1)!.lowerBound
      }
    }
    #expect(order("/covid-stats/countries") == ["Belarus", "Kosovo", "Russia"])
    #expect(order("/covid-stats/countries?order=new") == ["Russia", "Kosovo", "Belarus"])
  }

  @Test func `the list shows new figures imported in the same second as the old ones`() throws {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    #expect(anna.get("/covid-stats/countries").hasRow("24,001,300"))
    let file = try TemporaryFile(smallFile.replacing("24001300", with: "24001301"))
    _ = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(anna.get("/covid-stats/countries").hasRow("24,001,301"))
  }

  @Test func `the trend page has a chart and lists negative counts`() throws {
    let page = try portalWithFigures().register().get("/covid-stats/trend?country=BY&range=week")
    #expect(page.contains("<svg") && page.contains("Belarus"))
    #expect(page.hasRow("−3"))
  }

  @Test func `the figures require a sign-in by default`() throws {
    #expect(try portalWithFigures().visitor().get("/covid-stats").status == 303)
  }

  @Test func `a broken file is refused with the line number, and the stored figures stay`() throws {
    let portal = try portalWithFigures()
    let file = try TemporaryFile(smallFile + "\n2026-04-30,RU,Russia,EUR,1")
    let told = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(told.status != 0 && told.text.contains("line 7"))
    #expect(try portal.register().get("/covid-stats").hasRow("1,300"))
  }
}
