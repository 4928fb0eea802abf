import Foundation
import PolyclinicCore
import Testing

@testable import CovidStats

/// Fetching by curl, where nobody answers; `Tests/EndToEnd/test_covid_upstream.py` has a server.
@Suite struct DownloadTests {
  private func fetch(_ address: String, proxy: String = "") throws {
    try Download(proxy: proxy).run(address, to: UnnamedFile())
  }

  private func reason(_ body: () throws -> Void) -> RefreshFailure? {
    #expect(throws: RefreshFailed.self) { try body() }?.reason
  }

  @Test func `the reason is told by the exit status of curl`() {
    #expect(reason { try fetch("https://localhost:1/") } == .unreachable)
    #expect(
      reason { try fetch("https://name.invalid/", proxy: "http://localhost:1") } == .unreachable)
    #expect(reason { try fetch("http://localhost:1/") } == .failed)
    #expect(reason { try fetch("file:///etc/hostname") } == .failed)
  }

  @Test func `nothing is begun when the time for all files is over`() {
    let download = Download(proxy: "", deadline: .now)
    #expect(reason { try download.run("https://localhost:1/", to: UnnamedFile()) } == .slow)
  }

  @Test func `a file without a name is empty after each attempt and leaves nothing behind`() throws
  {
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
