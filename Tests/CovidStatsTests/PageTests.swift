import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

@Suite struct PageTests {
  @Test func `before the first figures the page says who is asked and what can be done`() throws {
    let page = try TestPortal(CovidStatsModule()).register().get("/covid-stats")
    #expect(page.status == 200)
    #expect(page.contains("World Health Organization"))
    #expect(page.contains("polyclinic covid-stats refresh --from FILE"))
  }

  @Test func `the shipped country is shown with both reports, totals, source and dates`() throws {
    let page = try portalWithFigures().register().get("/covid-stats")
    #expect(page.contains("Russia") && page.contains("1,300") && page.contains("1,200"))
    #expect(page.contains("24,001,300") && page.contains("400,007"))
    #expect(page.contains("World Health Organization") && page.contains("figures until"))
    #expect(page.contains("not reported"))
  }

  @Test func `somebody who has chosen a country sees it again, also in the next session`() throws {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    _ = anna.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"])
    #expect(anna.get("/covid-stats").contains("Belarus"))
    #expect(anna.get("/covid-stats").contains("−3") || anna.get("/covid-stats").contains("-3"))
    let again = portal.visitor()
    _ = try again.signIn(anna.login)
    #expect(again.get("/covid-stats").contains("Belarus"))
    #expect(try portal.register().get("/covid-stats").contains("Russia"))
  }

  @Test func `a country is found by a word in any language and by its code`() throws {
    let anna = try portalWithFigures().register()
    for typed in ["belar", "бела", "בלארוס", "by", " BY "] {
      let query = typed.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let page = anna.get("/covid-stats/countries?q=\(query)")
      #expect(page.contains("Belarus") && !page.contains("Russia"), "\(typed)")
    }
    #expect(anna.get("/covid-stats/countries?q=nowhere").contains("0 countries"))
  }

  @Test func `the list is sorted by name, and by a figure from the highest down`() throws {
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

  @Test func `the list shows figures that came in the same second as those before them`() throws {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    #expect(anna.get("/covid-stats/countries").contains("24,001,300"))
    let file = try TemporaryFile(smallFile.replacing("24001300", with: "24001301"))
    _ = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(anna.get("/covid-stats/countries").contains("24,001,301"))
  }

  @Test func `the trend draws what was taken back, and lists its numbers`() throws {
    let page = try portalWithFigures().register().get("/covid-stats/trend?country=BY&range=week")
    #expect(page.contains("<svg") && page.contains("Belarus"))
    #expect(page.contains("−3"))
  }

  @Test func `strangers see nothing unless the administrator says so`() throws {
    #expect(try portalWithFigures().visitor().get("/covid-stats").status == 303)
  }

  @Test func `a broken file is refused by its line, and what is stored stays`() throws {
    let portal = try portalWithFigures()
    let file = try TemporaryFile(smallFile + "\n2026-04-30,RU,Russia,EUR,1")
    let told = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(told.status != 0 && told.text.contains("line 7"))
    #expect(try portal.register().get("/covid-stats").contains("1,300"))
  }
}
