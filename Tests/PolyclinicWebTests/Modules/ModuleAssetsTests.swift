import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicWeb

/// The style sheets and scripts that modules bring.
@Suite struct ModuleAssetsTests {
  private static let script = Page.Asset("drum.js", Array("drum()".utf8))
  private static let style = Page.Asset("drum.css", Array(".drum { color: red }".utf8))
  private static let colour = Page.Asset(
    "colour.css", Array(".kind-drum { --kind: red }".utf8), for: .everyPage)

  private func module(_ assets: [Page.Asset] = [script, style, colour]) -> SampleModule {
    var module = SampleModule()
    module.assets = assets
    module.routes = [
      .get("page", access: .everyone) { _ in
        .page(Page("title", "", assets: [Self.script, Self.style, .copy]))
      }
    ]
    return module
  }

  /// Returns the addresses of a page's files whose names begin so.
  private func files(_ page: TestPage, _ start: String) -> [String] {
    page.body.matches(of: /"(\/assets\/[^"]+)"/).map { String($0.1) }
      .filter { $0.hasPrefix("/assets/\(start)") }
  }

  @Test func `a page loads its module's files, which everybody gets and keeps for a year`() throws {
    let visitor = try TestPortal(module()).visitor()
    let files = files(visitor.get("/sample/page"), "modules/")
    try #require(files.count == 2)
    #expect(files[0].wholeMatch(of: /\/assets\/modules\/sample\/drum\.[0-9a-f]{10}\.js/) != nil)
    let (script, style) = (visitor.get(files[0]), visitor.get(files[1]))
    #expect(script.body == "drum()" && style.body == ".drum{color:red}")
    #expect(script.header("Content-Type") == "text/javascript; charset=utf-8")
    #expect(style.header("Content-Type") == "text/css; charset=utf-8")
    #expect(style.header("Cache-Control") == "public, max-age=31536000, immutable")
    #expect(style.header("Set-Cookie") == nil)
  }

  @Test func `every page loads the joined style of all modules before the style for print`() throws
  {
    let visitor = try TestPortal(module()).visitor()
    let page = visitor.get("/privacy")
    let style = try #require(files(page, "modules.").first)
    #expect(visitor.get(style).body == ".kind-drum{--kind:red}\n")
    let names = files(page, "").map { $0.split(separator: "/").last.map(String.init) ?? "" }
    let sheets = names.filter { $0.hasSuffix(".css") }.map { $0.prefix { $0 != "." } }
    #expect(sheets == ["style", "modules", "print"])
  }

  @Test func `a module's style sheet is sent without comments and white space`() throws {
    let sheet = """
      /* Drums,
         of all kinds */

      .drum {
        color: red;
      }

      .a :focus::after { width: calc(1px * 2); content: "a: b, c" } /* wide */
      """
    var module = module()
    module.assets = [Page.Asset("drum.css", Array(sheet.utf8), for: .everyPage)]
    let visitor = try TestPortal(module).visitor()
    let style = try #require(files(visitor.get("/privacy"), "modules.").first)
    #expect(
      visitor.get(style).body
        == ".drum{color:red;}.a :focus::after{width:calc(1px * 2);content:\"a: b, c\"}\n")
  }

  @Test func `the address of another release's file has the present content, which is not kept`()
    throws
  {
    let visitor = try TestPortal(module()).visitor()
    for path in ["/assets/modules/sample/drum.0123456789.js", "/assets/modules/sample/drum.js"] {
      let answer = visitor.get(path)
      #expect(answer.body == "drum()" && answer.header("Cache-Control") == "no-store")
    }
  }

  @Test(arguments: ["sample/other.js", "other/drum.js", "sample/drum.css.js", "drum.js"])
  func `any other file is answered with 404`(path: String) throws {
    #expect(try TestPortal(module()).visitor().get("/assets/modules/\(path)").status == 404)
  }

  @Test func `a disabled module's files are answered with 404, and no page loads them`() throws {
    let module = module()
    let visitor = try TestPortal(module, disabled: [module.id]).visitor()
    for name in ["drum.js", "drum.css", "colour.css"] {
      #expect(visitor.get("/assets/modules/sample/\(name)").status == 404)
    }
    #expect(files(visitor.get("/privacy"), "modules") == [])
  }

  @Test(arguments: [
    [Page.Asset("Drum.js", [])], [Page.Asset("drum.svg", [])], [Page.Asset("../drum.js", [])],
    [Page.Asset.copy],
    [Page.Asset("drum.js", [], for: .everyPage)], [script, script],
  ])
  func `an asset that cannot be served stops the start`(assets: [Page.Asset]) {
    #expect(throws: InstallationError.self) { try TestPortal(module(assets)) }
  }
}
