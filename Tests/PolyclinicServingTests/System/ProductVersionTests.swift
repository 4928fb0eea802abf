import Testing

@testable import PolyclinicSystem

@Suite struct ProductVersionTests {
  @Test func `the version names commit and date if the build knew them`() {
    let built = ProductVersion(number: "1.0.0", commit: "1a2b3c4d5e6f", date: "2026-11-27")
    #expect("\(built)" == "1.0.0 (1a2b3c4d5e6f, 2026-11-27)")
    #expect("\(ProductVersion(number: "1.0.0", commit: "", date: ""))" == "1.0.0")
    #expect("\(ProductVersion.current)".hasPrefix(ProductVersion.current.number))
  }
}
