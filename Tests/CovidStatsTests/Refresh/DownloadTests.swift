import Foundation
import PolyclinicCore
import Testing

@testable import CovidStats

/// Failing downloads with curl; `Tests/EndToEnd/test_covid_upstream.py` tests a server.
@Suite struct DownloadTests {
  private func fetch(_ address: String, proxy: String = "") throws {
    try Download(proxy: proxy).run(address, to: UnnamedFile())
  }

  private func reason(_ body: () throws -> Void) -> RefreshFailure? {
    #expect(throws: RefreshFailed.self) { try body() }?.reason
  }

  @Test func `the exit status of curl determines the reason`() {
    #expect(reason { try fetch("https://localhost:1/") } == .unreachable)
    #expect(
      reason { try fetch("https://name.invalid/", proxy: "http://localhost:1") } == .unreachable)
    #expect(reason { try fetch("http://localhost:1/") } == .failed)
    #expect(reason { try fetch("file:///etc/hostname") } == .failed)
  }

  @Test func `no download starts after the deadline`() {
    let download = Download(proxy: "", deadline: .now)
    #expect(reason { try download.run("https://localhost:1/", to: UnnamedFile()) } == .slow)
  }

  @Test func `an unnamed file has no directory entry and can be emptied`() throws {
    let file = try UnnamedFile()
    try file.handle.write(contentsOf: Data("figures".utf8))
    #expect(file.size == 7)
    #expect(try FigureFile(path: file.path).open().readToEnd() == Data("figures".utf8))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file.path).hasSuffix("(deleted)"))
    file.empty()
    #expect(file.size == 0)
  }
}
