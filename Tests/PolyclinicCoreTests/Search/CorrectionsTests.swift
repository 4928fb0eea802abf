import Testing

@testable import PolyclinicCore

/// Corrections of misspelt search words.
@Suite struct CorrectionsTests {
  private let texts = ["Anna Petrova Cardiology", "Борис Ёлкин", "O’Brien’s Clinic"].map {
    SearchText($0)
  }

  private func corrections(_ typed: String, limit: Int = 3) -> [String] {
    SearchText.Query(typed).corrections(from: texts, limit: limit)
  }

  @Test(arguments: [
    ("petorva", ["Petrova"]), ("PETROVVA", ["Petrova"]), ("petrva", ["Petrova"]),
    ("cradiolgy", ["Cardiology"]), ("елкан", ["Ёлкин"]), ("anna petrvoa", ["Anna Petrova"]),
    ("anan petrvoa", ["Anna Petrova"]), ("clinik", ["Clinic"]),
  ])
  func `a misspelt word is replaced by a similar one`(_ typed: String, _ meant: [String]) {
    #expect(corrections(typed) == meant)
  }

  @Test(arguments: [
    "petrova", "anna", "ana", "pxtrxva", "PTRVA", "CLINK", "boris petrvoa", "", "zzzz",
    String(repeating: "petrvoa ", count: 9), String(repeating: "p", count: 200),
  ])
  func `a query of known, short or unlike words has no corrections`(_ typed: String) {
    #expect(corrections(typed).isEmpty)
  }

  @Test func `a word in capitals is no misspelt one after another word is left out`() {
    let query = SearchText.Query("my CLINK").leavingOut([Array("my".utf8)])
    #expect(query.text == "clink" && query.corrections(from: texts, limit: 3).isEmpty)
    #expect(!SearchText.Query("clink").corrections(from: texts, limit: 3).isEmpty)
  }

  @Test func `no more corrections than asked for are returned, the most similar first`() {
    let texts = ["Martov", "Marlov", "Markova", "Markov Junior"].map { SearchText($0) }
    let query = SearchText.Query("marxov")
    #expect(query.corrections(from: texts, limit: 2) == ["Markov", "Marlov"])
  }
}
