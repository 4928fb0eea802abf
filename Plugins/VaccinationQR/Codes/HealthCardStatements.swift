extension HealthCard {
  var sections: [StatementSection] {
    let person = StatementSection(
      "person",
      [
        .text("family-name", patient.family), .text("given-name", patient.given),
        .date("birth-date", patient.birthDate),
      ])
    let certificate = StatementSection("certificate", [.text("issuer", issuer)])
    return [person] + entries.map(\.section) + [certificate]
  }
}

extension HealthCard.Entry {
  fileprivate var section: StatementSection {
    switch self {
    case .immunization(let one):
      StatementSection(
        "vaccination",
        one.codes.map { $0.statement("vaccine-code") } + [
          .text("vaccine", one.text), .coded("status", one.status, ValueSets.statuses),
          .date("vaccinated-on", one.date), .text("lot", one.lot), .text("place", one.performer),
        ])
    case .observation(let one):
      StatementSection(
        "test",
        one.codes.map { $0.statement("test-type") }
          + [
            .text("test-name", one.text), .coded("status", one.status, ValueSets.statuses),
          ] + one.results.map { $0.statement("result") } + [
            .text("result", one.resultText), .date("sampled-at", one.date),
            .text("test-centre", one.performer),
          ])
    }
  }
}

extension HealthCard.Coding {
  /// Returns the code with the portal's term, or the card's own if the portal has none.
  fileprivate func statement(_ name: String) -> Statement {
    let known = ValueSets.bySystem[system ?? ""]?[code]
    return Statement(name, .coded(code, known ?? display.map { Term($0) }))
  }
}
