import Foundation
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicTesting
import Testing

@testable import CovidStats

/// `polyclinic covid-stats refresh --from FILE` and the age of the figures.
@Suite struct CommandTests {
  private static let figures = """
    Date_reported,Country_code,Country,WHO_region,New_cases,Cumulative_cases,New_deaths,Cumulative_deaths
    2026-05-01,RU,Russia,EUR,1300,24001300,7,400007
    """

  private func taken() throws -> TestPortal {
    let portal = try TestPortal(CovidStatsModule(), settings: ["country": .text("RU")])
    let file = try TemporaryFile(Self.figures)
    #expect(try portal.run("covid-stats", ["refresh", "--from", file.path]).status == 0)
    return portal
  }

  @Test(arguments: [
    ("", "nothing is in it"),
    ("name,phone\nVera,1\n", "the column date is missing"),
    ("[{\"name\": \"Vera\"}]", "not the JSON"),
    ("{\"country\": \"Vera\"}", "not the JSON"),
    ("\u{FEFF}", "the column date is missing"),
  ])
  func `a file of another kind is refused, and its content is not quoted`(
    _ text: String, _ words: String
  ) throws {
    let portal = try taken()
    let file = try TemporaryFile(text)
    let told = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(told.status == 1)
    #expect(told.text.hasPrefix("The file was not taken, and nothing has changed: "))
    #expect(told.text.contains(words) && !told.text.contains("Vera"), "\(told.text)")
    #expect(try portal.register().get("/covid-stats").hasRow("1,300"))
  }

  @Test func `a directory, pipe, device or missing file is refused`() throws {
    let portal = try taken()
    let pipe = portal.directory + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [portal.directory, pipe, "/dev/null", portal.directory + "/missing"] {
      let told = try portal.run("covid-stats", ["refresh", "--from", path])
      #expect(told.status == 1 && told.text.contains("The file cannot be read: "), "\(told.text)")
    }
  }

  @Test(arguments: ["Date_reported", "["])
  func `a file larger than any file of the source is refused`(_ start: String) throws {
    let portal = try taken()
    let file = try TemporaryFile(start)
    #expect(truncate(file.path, 300 << 20) == 0)
    let told = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(told.status == 1 && told.text.contains("is larger than 256 MB"), "\(told.text)")
  }

  @Test func `figures for fewer than three quarters of the earlier countries are refused`() throws {
    let portal = try TestPortal(CovidStatsModule())
    func take(_ count: Int) throws -> TestPortal.Output {
      let rows = Countries.all.prefix(count).map { "2026-05-01,\($0),X,EUR,1,1,1,1" }
      let head = Self.figures.split(separator: "\n")[0]
      let file = try TemporaryFile("\(head)\n" + rows.joined(separator: "\n"))
      return try portal.run("covid-stats", ["refresh", "--from", file.path])
    }
    #expect(try take(100).status == 0)
    #expect(try take(74).text.contains("fewer than three quarters"))
    #expect(try take(75).status == 0)
  }

  @Test func `the largest possible numbers are shown on every page`() throws {
    let portal = try TestPortal(CovidStatsModule(), settings: ["country": .text("RU")])
    let rows = ["04-28", "04-29", "04-30"].map {
      "2026-\($0),RU,X,EUR,-2147483648,-999999999999,2147483647,999999999999"
    }
    let head = Self.figures.split(separator: "\n")[0]
    let file = try TemporaryFile("\(head)\n" + rows.joined(separator: "\n"))
    #expect(try portal.run("covid-stats", ["refresh", "--from", file.path]).status == 0)
    let anna = try portal.register()
    for path in [
      "", "/countries?order=deaths", "/trend?range=week", "/trend?range=all&count=deaths",
    ] {
      let page = anna.get("/covid-stats\(path)")
      #expect(page.status == 200 && page.contains("147,483,64"), "\(path)")
    }
  }

  @Test(arguments: [
    ("source", "cdc", "source is “cdc”: write one of who, owid, disease.sh, or the absolute path"),
    ("source", "WHO", "write one of who"), ("source", "", "write one of who"),
    ("source", "/nowhere/figures.csv", "which cannot be read as a file"),
    ("source", "/dev", "which cannot be read as a file"),
    ("mirror", "mirror.example", "write an https address"),
    ("mirror", "http://mirror.example", "write an https address"),
    ("proxy", "ftp://proxy.example", "proxy is not an address"),
    ("proxy", "http://", "proxy is not an address"),
  ])
  func `the health check reports a setting that no refresh can work with`(
    _ key: String, _ value: String, _ words: String
  ) throws {
    let portal = try TestPortal(CovidStatsModule(), settings: [key: .text(value)])
    let problems = try portal.checks()
    #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
  }

  @Test(arguments: [
    ("source", "owid"), ("mirror", "https://mirror.example/files/"),
    ("proxy", "proxy.example:3128"), ("proxy", "socks5h://127.0.0.1:9050"),
  ])
  func `the health check accepts a setting that a refresh can work with`(
    _ key: String, _ value: String
  ) throws {
    let portal = try TestPortal(CovidStatsModule(), settings: [key: .text(value)])
    #expect(try portal.checks() == [])
  }

  @Test func `the health check reports figures that are 48 hours old`() throws {
    let portal = try taken()
    #expect(try portal.checks() == [])
    portal.now = portal.now + .hours(47)
    #expect(try portal.checks() == [])
    portal.now = portal.now + .hours(1)
    let problems = try portal.checks()
    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix(
        "figures until 2026-05-01 from who, fetched 2 days ago: see whether")
        == true)
  }

  @Test func `demonstration figures are never reported as old, and cannot be refreshed`() throws {
    let portal = try TestPortal(CovidStatsModule())
    try portal.demonstrate()
    portal.now = portal.now + .days(30)
    #expect(try portal.checks() == [])
    _ = try portal.register().submit("/covid-stats", [:])
    #expect(try portal.read(RefreshState.find).requested == nil)
  }
}
