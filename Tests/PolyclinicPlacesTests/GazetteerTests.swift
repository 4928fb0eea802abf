import Foundation
import PolyclinicCore
import PolyclinicPlaces
import Testing

@Suite struct GazetteerTests {
  private static let gazetteer = Gazetteer(
    Array(
      """
      # A remark, which says |minsk| too.
      =BY
      53.900 27.567 1742|Minsk|Минск|מינסק|minsk|минск|מינסק|mins'k|明斯克|
      53.667 23.830 373|Hrodna|Гродно||hrodna|гродно|grodno|
      =IL
      32.813 34.999 285|Haifa|Хайфа|חיפה|haifa|хаифа|חיפה|
      =US
      39.802 -89.644 117|Springfield|||springfield|
      =ZZ
      broken|Nowhere|||nowhere|
      """.utf8))

  @Test func `a town is found in any script and spelling`() {
    for name in ["Minsk", " MINSK ", "Мінск".replacing("і", with: "и"), "מִינְסְק", "明斯克", "Mins’k"] {
      let place = Self.gazetteer.place(name, in: "BY")
      #expect(place?.coordinates == Coordinates(latitude: 53.9, longitude: 27.567), "\(name)")
    }
    #expect(Self.gazetteer.place("grodno", in: nil)?.country == "BY")
    #expect(Self.gazetteer.place("Хайфа", in: nil)?.name(in: .hebrew) == "חיפה")
    #expect(Self.gazetteer.place("Hrodna", in: "BY")?.name(in: .hebrew) == "Hrodna")
  }

  @Test func `a town of another country, part of a name and a malformed name are not found`() {
    for (name, country) in [
      ("Minsk", "IL"), ("Minsk", "XX"), ("Mins", "BY"), ("", "BY"), ("|", "BY"), ("minsk|", "BY"),
      ("nowhere", "ZZ"), ("Minsk\nHrodna", "BY"), ("=IL", "BY"), ("27.567", "BY"),
      (String(repeating: "x", count: 100_000), "BY"),
    ] {
      #expect(Self.gazetteer.place(name, in: country) == nil, "\(name.prefix(20))")
    }
    #expect(Gazetteer([]).place("Minsk", in: nil) == nil)
  }

  @Test func `towns are suggested for a name with few slips or without its end`() {
    func names(_ typed: String, _ country: String?) -> [String] {
      Self.gazetteer.suggestions(typed, in: country, limit: 5).map { $0.name(in: .english) }
    }
    #expect(names("Minks", "BY") == ["Minsk"])
    #expect(names("хаи", nil) == ["Haifa"])
    #expect(names("Mnisk", "BY") == [] && names("Minssk", "BY") == ["Minsk"])
    #expect(
      names("Springfeild", nil) == ["Springfield"] && names("Sprnigfeildd", nil) == ["Springfield"])
    #expect(names("Sprinter", nil) == [] && names("Mixyz", nil) == [])
    #expect(names(String(repeating: "mi", count: 100), nil) == [])
    #expect(names("Qqq", nil) == [])
    #expect(names("", nil) == [])
  }

  @Test func `the shipped list is searched by all names within 150 ms`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let bytes = Array(try Data(contentsOf: root.appending(path: "www/data/gazetteer.txt")))
    let clock = ContinuousClock()
    let start = clock.now
    let gazetteer = Gazetteer(bytes)
    let minsk = try #require(gazetteer.place("Минск", in: nil))
    let took = clock.now - start
    #expect(took < .milliseconds(150))
    #expect(minsk.country == "BY")
    #expect(gazetteer.place("Jerusalem", in: "IL")?.name(in: .russian) == "Иерусалим")
    #expect(gazetteer.place("北京", in: "CN")?.name(in: .english) == "Beijing")
    #expect(gazetteer.place("تل أبيب", in: "IL") != nil)
    #expect(gazetteer.place("Springfield", in: nil)?.country == "US")
    #expect(gazetteer.suggestions("Xyzzy", in: nil, limit: 5).isEmpty)
    #expect(
      gazetteer.suggestions("Grodnoo", in: nil, limit: 1).map { $0.name(in: .english) } == [
        "Hrodna"
      ])
  }

  @Test func `the shipped list contains the folded form of each displayed name`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = try String(
      contentsOf: root.appending(path: "www/data/gazetteer.txt"), encoding: .utf8)
    var checked = 0
    for line in file.split(separator: "\n") where line.first != "#" && line.first != "=" {
      checked += 1
      // One in 97, because folding all of them takes seconds.
      guard checked % 97 == 0 else { continue }
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let names = Set(fields[4...])
      for shown in fields[1...3] where !shown.isEmpty {
        #expect(names.contains(folded(shown)), "\(shown)")
      }
      for name in fields[4...].dropLast() { #expect(folded(name) == name) }
    }
    #expect(checked > 30_000)
  }
}

@Suite struct CoordinatesTests {
  @Test func `coordinates outside the earth's range are refused`() {
    for (latitude, longitude) in [
      (91, 0), (-90.001, 0), (0, 181), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
      (0, -.infinity),
    ] {
      #expect(Coordinates(latitude: latitude, longitude: longitude) == nil)
    }
  }

  @Test func `distance is measured along the great circle`() throws {
    func place(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
      try #require(Coordinates(latitude: latitude, longitude: longitude))
    }
    let minsk = try place(53.9, 27.567)
    let brest = try place(52.098, 23.734)
    #expect(abs(minsk.distance(to: brest) - 327) < 2)
    #expect(minsk.distance(to: minsk) == 0)
    // Across the 180th meridian, over a pole, and to the antipode.
    #expect(abs(try place(0, 179.5).distance(to: try place(0, -179.5)) - 111.195) < 0.01)
    #expect(abs(try place(89, 0).distance(to: try place(89, 180)) - 222.39) < 0.01)
    #expect(abs(try place(0, 0).distance(to: try place(0, 180)) - 20_015.1) < 0.1)
  }

  @Test func `degrees are written with six decimals in ASCII`() {
    #expect(
      Coordinates(latitude: 53.9023, longitude: -0.0000004)?.written(separator: ";")
        == "53.902300;0.000000")
  }
}
