import Testing

@testable import PolyclinicCore

@Suite struct AvatarTests {
  @Test(arguments: [
    ("Alice Elmswood", "AE"), ("Anna Maria Smith", "AS"), ("Theo", "T"), ("lena brook", "LB"),
    ("Dr Emma Ashdown", "EA"), ("Dr. Quiet", "Q"), ("Иванова Анна Петровна", "ИА"),
    ("Анна Иванова", "АИ"), ("ד״ר נועה לוי", "נל"), ("Dr.", "D"), ("", ""),
  ])
  func `an avatar has the initials of the first and the last name`(
    _ name: String, _ expected: String
  ) throws {
    #expect(HTML.initials(of: name) == expected)
    let markup = try Gallery.markup { _ in HTML.avatar(of: name) }
    #expect(markup.hasSuffix("\" aria-hidden=\"true\">\(expected)</span>"))
  }

  @Test func `the hue depends on the name alone, and all eight occur`() {
    let names = (0..<200).map { "Patient \($0)" }
    let hues = names.map(HTML.hue)
    #expect(Set(hues) == Set(0..<8))
    #expect(hues == names.map(HTML.hue))
    #expect(HTML.hue(of: "Yossi Arava") == 6)
  }
}
