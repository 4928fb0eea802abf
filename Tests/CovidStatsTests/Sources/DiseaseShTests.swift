import Foundation
import PolyclinicCore
import Testing

@testable import CovidStats

/// Answers in the format of disease.sh.
@Suite struct DiseaseShTests {
  private static let countries = """
    [
      {"updated": 1587140875524, "country": "Belarus", "countryInfo": {"iso2": "BY"}, "cases": 4779,
       "todayCases": 575, "deaths": 42, "todayDeaths": null, "recovered": 342, "active": 4395,
       "casesPerOneMillion": 506, "deathsPerOneMillion": 4.4, "a-later-field": {"x": 1}},
      {"updated": 1587140875000, "country": "UK", "countryInfo": {"iso2": "GB"}, "cases": 103093,
       "todayCases": 0, "deaths": 13729, "todayDeaths": 0, "recovered": 0, "active": 89020,
       "casesPerOneMillion": null, "deathsPerOneMillion": null},
      {"updated": 1587140875000, "country": "Diamond Princess", "countryInfo": {"iso2": null},
       "cases": 712, "todayCases": 0, "deaths": 13, "todayDeaths": 0, "recovered": 644, "active": 55,
       "casesPerOneMillion": 0, "deathsPerOneMillion": 0}
    ]
    """

  private func read(_ texts: String...) throws -> Figures {
    let files = try texts.map(TemporaryFile.init)
    return try withExtendedLifetime(files) {
      try DiseaseShSource().read(files.map(\.path), until: .today)
    }
  }

  @Test func `figures are read from the answer, and null means not reported`() throws {
    let all = try read(Self.countries)
    let belarus = try #require(all.countries.first { $0.figures.country == "BY" }).figures
    #expect(belarus.cases == 4779 && belarus.deaths == 42 && belarus.recovered == 342)
    #expect(belarus.latest == .init(day: nil, cases: 575, deaths: nil))
    #expect(belarus.casesPerMillion == 506 && belarus.deathsPerMillion == 4.4)
    #expect(all.received == Instant(1_587_140_875) && all.day == nil)
    #expect(all.leftOut == 1)
  }

  @Test func `active cases are left out if no recovered cases are reported`() throws {
    let all = try read(Self.countries)
    let active = Dictionary(
      uniqueKeysWithValues: all.countries.map { ($0.figures.country, $0.figures.active) })
    #expect(active["BY"] == 4395)
    #expect(active["GB"] == .some(nil))
  }

  @Test func `a series has daily differences, of provinces if there is no national row`() throws {
    let historical = """
      [
        {"country": "Belarus", "province": "minsk", "timeline": {
          "cases": {"3/1/20": 1, "3/2/20": 4, "3/10/20": 3},
          "deaths": {"3/1/20": 0, "3/2/20": 1, "3/10/20": 0}, "recovered": {}}},
        {"country": "Belarus", "province": "brest", "timeline": {
          "cases": {"3/1/20": 1, "3/2/20": 1, "3/10/20": 1}, "deaths": {}, "recovered": {}}},
        {"country": "UK", "province": null, "timeline": {
          "cases": {"3/1/20": 10, "3/2/20": 15}, "deaths": {}, "recovered": {}}},
        {"country": "UK", "province": "bermuda", "timeline": {
          "cases": {"3/1/20": 100, "3/2/20": 900}, "deaths": {}, "recovered": {}}}
      ]
      """
    let all = try read(Self.countries, "[]", historical)
    let series = Dictionary(
      uniqueKeysWithValues: all.countries.map { ($0.figures.country, $0.series.days) })
    #expect(series["BY"]?.map(\.cases) == [3, -1])
    #expect(series["BY"]?.map(\.deaths) == [1, nil])
    #expect(series["GB"]?.map(\.cases) == [5])
  }

  @Test func `a series ends where its cumulative count falls to zero`() throws {
    let historical = """
      [
        {"country": "Belarus", "province": null, "timeline": {
          "cases": {"8/4/21": 10, "8/5/21": 12, "8/6/21": 0}, "deaths": {"8/4/21": 1, "8/5/21": 1},
          "recovered": {"8/4/21": 7, "8/5/21": 0, "8/6/21": 0}}},
        {"country": "UK", "province": "recovered-aggregate", "timeline": {
          "cases": {"8/4/21": 0, "8/5/21": 0}, "deaths": {"8/4/21": 0}, "recovered": {"8/4/21": 9}}},
        {"country": "UK", "province": "wales", "timeline": {
          "cases": {"8/4/21": 3, "8/5/21": 8}, "deaths": {"8/4/21": 0}, "recovered": {}}}
      ]
      """
    let all = try read(Self.countries, "[]", historical)
    let series = Dictionary(
      uniqueKeysWithValues: all.countries.map { ($0.figures.country, $0.series.days) })
    #expect(series["BY"]?.map(\.cases) == [2])
    #expect(series["BY"]?.map(\.deaths) == [0])
    #expect(series["GB"]?.map(\.cases) == [5])
  }

  @Test(arguments: [
    (#""cases": 4779"#, #""cases": 1e300"#, SourceFault(.number)),
    (#""casesPerOneMillion": 506"#, #""casesPerOneMillion": 1e300"#, SourceFault(.number)),
    (#""updated": 1587140875524"#, #""updated": 1e300"#, SourceFault(.day)),
    (#""updated": 1587140875524"#, #""updated": 1877885200000"#, SourceFault(.day)),
    (#""cases": 4779"#, #""cases": "4779""#, SourceFault(.shape)),
  ])
  func `an impossible number or time is refused`(_ old: String, _ new: String, _ fault: SourceFault)
    throws
  {
    #expect(throws: fault) { try read(Self.countries.replacing(old, with: new)) }
  }

  @Test(arguments: ["1/1/19", "5/5/26", "1/1/-7", "13/1/20", "2020-01-01", "1/1/20/1"])
  func `a series with a malformed date, or one out of range, is refused`(_ day: String) throws {
    let historical = """
      [{"country": "Belarus", "province": null,
        "timeline": {"cases": {"\(day)": 1}, "deaths": {}, "recovered": {}}}]
      """
    #expect(throws: SourceFault.self) { try read(Self.countries, "[]", historical) }
  }

  @Test func `brackets, commas and quotation marks in a string do not end an element`() throws {
    let all = try read(
      #"""
       [ {"country": "A \"B\\", "x": "],[{\\\"", "countryInfo": {"iso2": "BY"}, "cases": 1} ,
         {"country": "]", "countryInfo": {"iso2": "RU", "y": [[], {}]}, "cases": 2}
       ]
      """#)
    #expect(all.countries.map(\.figures.cases) == [1, 2])
  }

  @Test func `too many rows, or one too long, are refused`() throws {
    let row = #"{"country": "X", "countryInfo": {}},"#
    let faults = [
      "[" + String(repeating: row, count: 10_001), "[\"" + String(repeating: "x", count: 2 << 20),
    ]
    for text in faults {
      #expect(throws: SourceFault(.large)) { try read(text) }
    }
    let long = String(repeating: "x", count: 201)
    #expect(throws: SourceFault(.shape)) {
      try read(#"[{"country": "\#(long)", "countryInfo": {"iso2": "BY"}}]"#)
    }
  }

  @Test(arguments: [
    "", " ", "<html>", "[1]", "{}", "[{\"country\": 1}]", "[", "[[[[[[[[", "[]", "[,]", "[}]",
    "[]]",
    #"[{"country": "X", "countryInfo": {"iso2": "BY"}},]"#,
    #"[{"country": "X", "countryInfo": {"iso2": "BY"}}"#,
    #"[{"country": "X", "countryInfo": {"iso2": "BY"}}] more"#,
  ])
  func `an answer in another format is refused, and its content is not quoted`(_ text: String)
    throws
  {
    let fault = #expect(throws: SourceFault.self) { try read(text) }
    #expect(fault?.description.contains("html") == false)
  }
}
