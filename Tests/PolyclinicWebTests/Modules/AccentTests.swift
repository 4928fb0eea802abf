import Foundation
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

/// A clinic's own colour and logo.
@Suite struct AccentTests {
  @Test func `the contrast of two colours is that of WCAG`() throws {
    #expect(Colour.white.contrast(to: .black) == 21)
    let grey = try #require(Colour("#767676"))
    #expect((4.54..<4.55).contains(grey.contrast(to: .white)))
    #expect(Colour("red") == nil && Colour("#12345") == nil && grey.text == "#767676")
  }

  @Test(arguments: ["#0a6b6c", "#1d4ed8", "#7c2d12", "#000000", "#4c1d95"])
  func `all shades of a legible colour are legible in both schemes`(colour: String) throws {
    let accent = try #require(Accent(colour))
    #expect(accent.isLegible)
    let schemes = accent.rules.split(separator: "@media")
    for (scheme, grounds) in zip(schemes, [Accent.lightGrounds, Accent.darkGrounds]) {
      func token(_ name: String) throws -> Colour {
        let start = try #require(scheme.firstRange(of: "--\(name):")).upperBound
        return try #require(Colour(String(scheme[start...].prefix(7))))
      }
      let (shade, tint) = (try token("accent"), try token("tint"))
      #expect(shade.isLegible(on: grounds.compactMap(Colour.init) + [tint]))
      #expect(try token("accent-ink").isLegible(on: [shade, token("accent-strong")]))
      #expect(try token("tint-ink").isLegible(on: [tint]))
    }
  }

  @Test(arguments: ["#ffcc00", "#ff8888", "#767676", "#ffffff"])
  func `an illegible colour has a nearest one that is legible`(colour: String) throws {
    let accent = try #require(Accent(colour))
    #expect(!accent.isLegible)
    #expect(Accent(accent.nearestLegible)?.isLegible == true)
  }

  @Test func `the grounds of the contrast are those of the style sheet`() throws {
    let style = try String(contentsOfFile: Checkout.file("www/styles/style.css"), encoding: .utf8)
    for ground in Accent.lightGrounds + Accent.darkGrounds {
      #expect(style.contains(": \(ground);"), "\(ground)")
    }
  }

  @Test func `pages have the clinic's colour, logo and welcome, and nothing inline`() throws {
    try Scratch.with { scratch in
      let logo = scratch + "/logo.svg"
      let drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>"
      try drawing.write(toFile: logo, atomically: false, encoding: .utf8)
      let portal = try TestPortal(
        SampleModule(),
        organization: {
          $0.accent = "#1d4ed8"
          $0.logo = logo
          $0.welcome = [.english: "Our town's <clinic>"]
        })
      let visitor = portal.visitor()
      let page = visitor.get("/")
      #expect(page.contains("Our town&#39;s &lt;clinic&gt;") && !page.contains("<style"))
      for path in ["/", "/login"] {
        let picture = try #require(
          visitor.get(path).body.firstMatch(of: /src="(\/assets\/modules-logo\.[0-9a-f]+\.svg)"/))
        #expect(visitor.get(String(picture.1)).body == drawing)
      }
      let sheet = try #require(page.body.firstMatch(of: /"(\/assets\/modules\.[0-9a-f]+\.css)"/))
      #expect(visitor.get(String(sheet.1)).body.contains("--accent:#1d4ed8;"))
      #expect(
        portal.visitor(language: .russian).get("/").contains("Our town&#39;s &lt;clinic&gt;"))
    }
  }

  @Test func `a portal without an own logo shows its mark`() throws {
    #expect(try TestPortal(SampleModule()).visitor().get("/login").body.contains("/icons/sign."))
  }
}
