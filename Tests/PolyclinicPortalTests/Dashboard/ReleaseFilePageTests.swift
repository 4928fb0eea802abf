import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServing
@testable import PolyclinicWeb

@Suite struct ReleaseFilePageTests {
  private let portal: TestPortal
  private let release: KeptRelease

  init() throws {
    portal = try TestPortal()
    let installed = try InstalledRelease(in: portal.directory)
    try installed.install(1)
    try installed.keep(at: 1)
    release = try #require(try installed.releases.releases().first)
  }

  @Test func `files of a kept release are served under its ID and cached for a year`() throws {
    let assets = try Assets(directory: release.www, of: release.id)
    let style = portal.visitor().get(assets.path(of: "styles/style.css").description)
    #expect(style.status == 200 && style.body == "body { order: 1 }")
    #expect(style.header("Content-Type") == "text/css; charset=utf-8")
    #expect(style.header("Cache-Control") == "private, max-age=31536000, immutable")
    let flag = assets.path(of: "flags/by.png")
    #expect(flag.description.hasPrefix("/releases/\(release.id)/flags/by."))
    #expect(portal.visitor().get(flag.description).body == "flag")
  }

  @Test func `a module's file in a folder has an address without an encoded slash`() throws {
    let path = try Assets(directory: release.www).path(of: "flags/by.png")
    #expect(path.description.wholeMatch(of: /\/assets\/flags\/by\.[0-9a-f]{10}\.png/) != nil)
  }

  @Test(arguments: [
    "/releases/0123456789abcdef/styles/style.css", "/releases/ID/styles/other.css",
    "/releases/ID/styles/style.html", "/releases/ID/style.css",
    "/releases/ID/release.json", "/releases/ID/..%2Frelease.json",
    "/releases/ID/styles/..%2F..%2Frelease.json", "/releases/ID/polyclinic",
    "/releases/ID/flags/style.css", "/releases/..%2F/styles/style.css",
    "/releases/choice.json/styles/style.css",
  ])
  func `any other path of a kept release is answered with 404`(path: String) {
    let path = path.replacing("ID", with: release.id)
    #expect(portal.visitor().get(path).status == 404)
  }
}
