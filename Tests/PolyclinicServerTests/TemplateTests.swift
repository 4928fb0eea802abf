import Testing

@testable import PolyclinicServer

@Suite struct TemplateTests {
  private func filled(
    _ text: String, _ values: [String: any CustomStringConvertible]
  ) throws -> String {
    try Template(Array(text.utf8)).filled(values)
  }

  @Test func `a placeholder within a line takes its value`() throws {
    #expect(
      try filled("listen {{port}}; # {{port}}, {{host}}\n", ["port": 80, "host": "a"])
        == "listen 80; # 80, a\n")
  }

  @Test func `a placeholder on its own line takes lines and indents those that are not empty`()
    throws
  {
    #expect(try filled("{\n  {{all}}\n}", ["all": "a\n\n  b\n"]) == "{\n  a\n\n    b\n}")
  }

  @Test func `an empty value removes the line of its placeholder`() throws {
    #expect(try filled("a\n  {{none}}\nb\n", ["none": ""]) == "a\nb\n")
  }

  @Test func `lines that explain the template are left out`() throws {
    #expect(try filled("## a {{b}}\n# c\n  ## d\ne\n", [:]) == "# c\ne\n")
  }

  @Test func `placeholders in a value are not filled`() throws {
    #expect(try filled("{{a}} {{b}}", ["a": "{{b}}", "b": "{{a}}"]) == "{{b}} {{a}}")
  }

  @Test(
    arguments: [
      ("a {{b}}", [:]), ("{{b}}", [:]), ("a", ["b": "c"]), ("a {{b}}", ["b": "c\nd"]),
      ("a {{b}}", ["b": "c\r\nd"]),
    ] as [(String, [String: String])])
  func `a missing value, a value without a placeholder and a line break within a line are errors`(
    _ text: String, _ values: [String: String]
  ) {
    #expect(throws: TemplateError.self) { try filled(text, values) }
  }
}
