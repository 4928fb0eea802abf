import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

/// Visitors who are not signed in, at a public portal.
@Suite struct VisitorTests {
  @Test func `the welcome page links to the figures only if they are public`() throws {
    let open = try portalWithFigures(isPublic: true)
    #expect(open.visitor().get("/").hasLink(to: "/covid-stats"))
    let closed = try portalWithFigures()
    #expect(!closed.visitor().get("/").contains("covid-stats"))
  }

  @Test func `a country chosen without an account is kept only in that browser`() throws {
    let portal = try portalWithFigures(isPublic: true)
    let guest = portal.visitor()
    _ = guest.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"])
    #expect(guest.get("/covid-stats").heading == "Belarus")
    #expect(portal.visitor().get("/covid-stats").heading == "Russia")
  }

  @Test func `only the copy for times without a network says that it is a copy`() throws {
    let portal = try portalWithFigures(isPublic: true)
    let guest = portal.visitor()
    let words = "There is no network."
    #expect(!guest.get("/covid-stats").contains(words))
    #expect(!guest.get("/covid-stats/information").contains(words))
    guest.headers["X-Offline-Copy"] = "yes"
    #expect(guest.get("/covid-stats").contains(words))
    #expect(guest.get("/covid-stats/information").contains(words))
    #expect(!guest.get("/").contains(words))
  }

  @Test func `a page lists its offline addresses, which need no session`() throws {
    let portal = try portalWithFigures(isPublic: true)
    let anna = try portal.register()
    _ = anna.press("/covid-stats/country", on: "/covid-stats/countries", ["country": "BY"])
    let page = anna.get("/covid-stats")
    let addresses = "/covid-stats?country=BY /covid-stats/information?country=BY"
    #expect(page.contains("data-keep=\"\(addresses)\""))
    let kept = portal.visitor().get("/covid-stats?country=BY")
    #expect(kept.heading == "Belarus" && !kept.contains(anna.login))
  }

  @Test func `the service worker is served at the root and revalidated each time`() throws {
    let script = try portalWithFigures().visitor().get("/service-worker.js")
    #expect(script.header("Content-Type") == "text/javascript; charset=utf-8")
    #expect(script.header("Cache-Control") == "no-cache")
    #expect(script.contains("credentials: \"omit\""))
  }

  @Test func `robots.txt allows only the pages of a public module`() throws {
    let open = try portalWithFigures(isPublic: true).visitor().get("/robots.txt")
    #expect(open.body == "User-agent: *\nDisallow: /\nAllow: /covid-stats\n")
    let closed = try portalWithFigures().visitor().get("/robots.txt")
    #expect(closed.body == "User-agent: *\nDisallow: /\n")
  }

  @Test func `the offline page requires no sign-in`() throws {
    #expect(try portalWithFigures().visitor().get("/offline").heading == "No network")
  }
}
