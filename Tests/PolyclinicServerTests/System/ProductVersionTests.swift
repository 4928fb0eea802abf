import Testing

@testable import PolyclinicSystem

@Suite struct ProductVersionTests {
  @Test func `the version names commit and date if the build knew them`() {
    #expect(
      ProductVersion.full("1.0.0", "1a2b3c4d5e6f", "2026-11-27")
        == "1.0.0 (1a2b3c4d5e6f, 2026-11-27)")
    #expect(ProductVersion.full("1.0.0", "", "") == "1.0.0")
    #expect(ProductVersion.full.hasPrefix(ProductVersion.number))
  }
}
