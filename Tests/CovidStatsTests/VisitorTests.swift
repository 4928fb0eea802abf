import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

/// People who have not signed in, at a portal that is open to everybody.
@Suite struct VisitorTests {
  @Test func `the welcome page leads to the figures where they are open, and nowhere else`() throws
  {
    let open = try portalWithFigures(isPublic: true)
    #expect(open.visitor().get("/").contains("href=\"/covid-stats\""))
    let closed = try portalWithFigures()
    #expect(!closed.visitor().get("/").contains("covid-stats"))
  }

  @Test func `a country that is chosen stays in the browser, and is no one else's`() throws {
    let portal = try portalWithFigures(isPublic: true)
    let guest = portal.visitor()
    _ = guest.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"])
    #expect(guest.get("/covid-stats").contains("Belarus"))
    #expect(portal.visitor().get("/covid-stats").contains("Russia"))
  }

  @Test func `a page names what a browser keeps of it: addresses that need no session`() throws {
    let portal = try portalWithFigures(isPublic: true)
    let anna = try portal.register()
    _ = anna.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"])
    let page = anna.get("/covid-stats")
    let addresses = "/covid-stats?country=BY /covid-stats/information?country=BY"
    #expect(page.contains("data-keep=\"\(addresses)\""))
    let kept = portal.visitor().get("/covid-stats?country=BY")
    #expect(kept.contains("Belarus") && !kept.contains(anna.login))
  }

  @Test func `the service worker is a script at the root, asked for anew each time`() throws {
    let script = try portalWithFigures().visitor().get("/service-worker.js")
    #expect(script.header("Content-Type") == "text/javascript; charset=utf-8")
    #expect(script.header("Cache-Control") == "no-cache")
    #expect(script.contains("credentials: \"omit\""))
  }

  @Test func `robots may ask for the pages of a module that is open, and for nothing else`() throws
  {
    let open = try portalWithFigures(isPublic: true).visitor().get("/robots.txt")
    #expect(open.body == "User-agent: *\nDisallow: /\nAllow: /covid-stats\n")
    let closed = try portalWithFigures().visitor().get("/robots.txt")
    #expect(closed.body == "User-agent: *\nDisallow: /\n")
  }

  @Test func `the page for times without a network is open to everybody`() throws {
    #expect(try portalWithFigures().visitor().get("/offline").contains("No network"))
  }
}
