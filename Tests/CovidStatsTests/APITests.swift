import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

@Suite struct APITests {
  @Test func `a program with read access gets figures, and null for missing counts`() throws {
    let portal = try portalWithFigures()
    let token = try portal.register().makeToken(["covid-stats": "read"])
    let program = TestProgram(portal, token: token)
    let russia = try program.get("/api/v1/covid-stats/countries/RU").json()
    #expect(russia["country"] == "RU" && russia["cases"]?.text == "24001300")
    #expect(russia["recovered"] == .null && russia["active"] == .null)
    #expect(report(russia["latest"]) == ["2026-04-29", "1300", "7"])
    #expect(russia["source"] == "who" && russia["day"] == "2026-04-29")
    #expect(program.get("/api/v1/covid-stats/countries/IL").status == 404)
    #expect(program.get("/api/v1/covid-stats/countries/ru").status == 404)
    #expect(program.get("/api/v1/covid-stats/countries/RU/flags").status == 404)
    #expect(program.post("/api/v1/covid-stats/countries", "{}").status == 405)
  }

  @Test func `a series contains all reports, including negative ones`() throws {
    let portal = try portalWithFigures()
    let token = try portal.register().makeToken(["covid-stats": "read"])
    let program = TestProgram(portal, token: token)
    let series = try program.get("/api/v1/covid-stats/countries/BY/series").json()
    #expect(series["reports"]?.count == 2)
    #expect(report(series["reports"]?[0]) == ["2026-04-28", "5", "0"])
    #expect(report(series["reports"]?[1]) == ["2026-04-29", "-3", "0"])
  }

  @Test func `the list of countries is paged, with each country once`() throws {
    let portal = try portalWithFigures()
    let token = try portal.register().makeToken(["covid-stats": "read"])
    let program = TestProgram(portal, token: token)
    let first = try program.get("/api/v1/covid-stats/countries?limit=2").json()
    #expect(codes(first) == ["BY", "RU"])
    guard case .string(let cursor) = first["next"] else {
      Issue.record("there is no second part")
      return
    }
    let second = try program.get("/api/v1/covid-stats/countries?limit=2&cursor=\(cursor)").json()
    #expect(codes(second) == ["XK"] && second["next"] == .null)
    #expect(program.get("/api/v1/covid-stats/countries?order=new").status == 422)
  }

  @Test func `without a token, a program is admitted only if the module is public`() throws {
    let path = "/api/v1/covid-stats/countries/RU"
    #expect(try portalWithFigures().visitor().get(path).status == 401)
    let open = try portalWithFigures(isPublic: true)
    #expect(open.visitor().get(path).status == 200)
    #expect(TestProgram(open, token: "no-token-of-ours").get(path).status == 401)
  }

  @Test func `the OpenAPI description lists each path and the members of an answer`() throws {
    let portal = try portalWithFigures(isPublic: true)
    let description = portal.visitor().get("/api/v1/openapi.json")
    let document = try JSON(reading: Array(description.body.utf8))
    for path in ["countries", "countries/{country}", "countries/{country}/series"] {
      #expect(document["paths"]?["/api/v1/covid-stats/\(path)"]?["get"] != nil)
    }
    let schema = document["components"]?["schemas"]?["CountryFigures"]
    guard case .array(let required) = schema?["required"] else {
      Issue.record("the schema requires nothing")
      return
    }
    let answer = try JSON(
      reading: Array(portal.visitor().get("/api/v1/covid-stats/countries/RU").body.utf8))
    guard case .object(let members) = answer else { return }
    #expect(members.map { .string($0.name) } == required)
  }

  private func report(_ json: JSON?) -> [String?] {
    ["date", "cases", "deaths"].map { json?[$0]?.text }
  }

  private func codes(_ list: JSON) -> [String] {
    guard case .array(let items) = list["items"] else { return [] }
    return items.compactMap { if case .string(let code) = $0["country"] { code } else { nil } }
  }
}
