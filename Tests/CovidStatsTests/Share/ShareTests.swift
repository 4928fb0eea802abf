import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import CovidStats

@Suite struct ShareTests {
  @Test func `a card shows country, figures, date and source, and may load nothing`() throws {
    let card = try portalWithFigures().register().get("/covid-stats/share/RU.svg")
    #expect(card.header("Content-Type") == "image/svg+xml")
    for words in ["Russia", "1,300", "24,001,300", "29 April 2026", "World Health Organization"] {
      #expect(card.contains(words), "\(words)")
    }
    #expect(card.contains("href=\"data:image/png;base64,"))
    #expect(card.header("Content-Security-Policy") == "default-src 'none'; img-src data:")
  }

  @Test(arguments: Language.allCases)
  func `a card has the recovered and active cases where the source reports them`(
    _ language: Language
  ) throws {
    let portal = try portalWithFigures()
    let anna = try portal.register(language: language)
    let words = try #require(
      [
        Language.english: ("Recovered", "Active"), .russian: ("Выздоровевшие", "Болеют сейчас"),
        .hebrew: ("החלימו", "חולים פעילים"),
      ][language])
    let bare = anna.get("/covid-stats/share/RU.svg")
    #expect(!bare.contains(words.0) && !bare.contains(words.1))
    try portal.database.write {
      _ = try $0.run("UPDATE covid_stats_countries SET recovered = 777, active = 55")
    }
    let card = anna.get("/covid-stats/share/RU.svg")
    #expect(card.contains(">\(words.0): 777</text>") && card.contains(">\(words.1): 55</text>"))
    #expect(anna.get("/covid-stats/share/RU").contains("\(words.0): 777. \(words.1): 55."))
    try portal.database.write {
      _ = try $0.run(
        "UPDATE covid_stats_countries SET recovered = 0, active = NULL")
      _ = try $0.run("UPDATE covid_stats_refresh SET source = 'disease.sh'")
    }
    #expect(!anna.get("/covid-stats/share/RU.svg").contains(words.0))
  }

  @Test func `a card is in the visitor's language, and right-to-left in Hebrew`() throws {
    let portal = try portalWithFigures()
    let card = try portal.register(language: .hebrew).get("/covid-stats/share/RU.svg")
    #expect(card.contains("רוסיה") && card.contains("direction=\"rtl\""))
  }

  @Test(.enabled(if: !CardPicture.isProgramMissing))
  func `a picture is a PNG of 1200 × 630 pixels, cached until the figures change`() throws {
    let portal = try portalWithFigures()
    let anna = try portal.register()
    let picture = anna.getBytes("/covid-stats/share/RU.png")
    #expect(picture.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // The first chunk begins with width and height (PNG, 11.2.2).
    #expect(picture.dropFirst(16).prefix(8) == [0, 0, 0x04, 0xB0, 0, 0, 0x02, 0x76])
    func stored() throws -> Int? {
      try portal.database.read { try $0.integer("SELECT count(*) FROM covid_stats_cards") }
    }
    #expect(anna.getBytes("/covid-stats/share/RU.png") == picture)
    #expect(try stored() == 1)
    let file = try TemporaryFile(smallFile)
    _ = try portal.run("covid-stats", ["refresh", "--from", file.path])
    #expect(try stored() == 0)
  }

  @Test func `an invalid country, or one without figures, has no card`() throws {
    let anna = try portalWithFigures().register()
    for name in ["ZZ", "IL", "ru", "%52%55", "RU.png"] {
      #expect(anna.get("/covid-stats/share/\(name).svg").status == 404, "\(name)")
    }
  }

  @Test func `a country's page has Open Graph metadata with absolute addresses`() throws {
    let page = try portalWithFigures(isPublic: true).visitor().get("/covid-stats?country=BY")
    #expect(
      page.contains(
        """
        <meta property="og:image" content="https://clinic.example/covid-stats/share/BY.png">
        """))
    #expect(page.contains("<meta property=\"og:title\" content=\"Belarus\">"))
  }

  @Test func `the share page says if the link requires a sign-in`() throws {
    let told = "Only people with an account can open this link"
    #expect(try portalWithFigures().register().get("/covid-stats/share/RU").contains(told))
    let open = try portalWithFigures(isPublic: true)
    #expect(!open.visitor().get("/covid-stats/share/RU").contains(told))
  }
}
