import PolyclinicCore
import Testing

@Suite struct LabelledFieldTests {
  @Test func `a field has its label before the input`() throws {
    #expect(
      try Gallery.markup { $0.field("a", id: "one", "<input id=\"one\">") }
        == "<div class=\"field\"><label for=\"one\">A &amp; B</label><input id=\"one\"></div>")
  }

  @Test func `a check box has its label and its hint after it`() throws {
    #expect(
      try Gallery.markup { $0.checkBox("b", name: "open", isChecked: true, hint: "a") }
        == "<div class=\"field check\"><input type=\"checkbox\" id=\"open\" name=\"open\" value=\"1\""
        + " checked><label for=\"open\">C</label><p class=\"hint\">A &amp; B</p></div>")
  }
}
