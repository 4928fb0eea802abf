import Foundation
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicCore
@testable import PolyclinicWeb

@Suite struct SiteFilesTests {
  private static func file(_ name: String) throws -> String {
    try String(contentsOfFile: Checkout.file("www/" + name), encoding: .utf8)
  }

  @Test(arguments: Icon.allCases)
  func `icons.svg has a symbol for each icon`(icon: Icon) throws {
    #expect(try Self.file("icons/icons.svg").contains("<symbol id=\"\(icon.rawValue)\""))
  }

  @Test(arguments: Icon.allCases)
  func `the page about the looks says once what an icon stands for`(icon: Icon) throws {
    let page = try String(contentsOfFile: Checkout.file("docs/design-language.md"), encoding: .utf8)
    #expect(page.split(separator: "\n").count { $0.hasPrefix("| `\(icon)` |") } == 1)
  }

  @Test(arguments: Icon.allCases)
  func `scenes.svg has a symbol for the scene of each icon`(icon: Icon) throws {
    let sprite = try Self.file("icons/scenes.svg")
    let symbols = sprite.split(separator: "\n").filter { $0.contains("<symbol") }
    let symbol = try #require(symbols.first { $0.contains("id=\"\(icon.scene.rawValue)\"") })
    #expect(symbol.utf8.count < 1_200)
  }

  @Test func `the frame's colours match the style sheet and the web app manifest`() throws {
    let style = try Self.file("styles/style.css")
    #expect(style.contains("--bar: \(Frame.barColour);"))
    #expect(style.contains("--page: \(Frame.pageColour);"))
    let manifest = try TestPortal().visitor().get("/manifest.webmanifest")
    #expect(manifest.contains(Frame.barColour))
  }

  @Test(arguments: [Language.english, .hebrew])
  func `the web app manifest has the visitor's language and existing icons`(language: Language)
    throws
  {
    let visitor = try TestPortal().visitor(language: language)
    let text = visitor.get("/manifest.webmanifest").body
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(manifest["lang"] as? String == language.code)
    #expect(manifest["dir"] as? String == language.direction.description)
    #expect(manifest["display"] as? String == "standalone" && manifest["id"] as? String == "/")
    let icons = try #require(manifest["icons"] as? [[String: String]])
    #expect(icons.contains { $0["sizes"] == "192x192" && $0["purpose"] == "any" })
    #expect(icons.contains { $0["sizes"] == "512x512" && $0["purpose"] == "maskable" })
    for icon in icons {
      // The server serves `/assets/icons/icon.HASH.svg` from the file `icons/icon.svg`.
      let parts = try #require(icon["src"]?.split(separator: "/").last).split(separator: ".")
      #expect(parts.count == 3)
      #expect(
        FileManager.default.fileExists(atPath: Checkout.file("www/icons/\(parts[0]).\(parts[2])")))
    }
  }
}
