extension EuropeanCertificate {
  var sections: [StatementSection] {
    let person = StatementSection(
      "person",
      [
        .text("family-name", name.family), .text("given-name", name.given),
        .text("standard-family-name", name.standardFamily),
        .text("standard-given-name", name.standardGiven), .date("birth-date", birthDate),
      ])
    let certificate = StatementSection(
      "certificate", [.country("signing-country", signingCountry), .text("version", version)])
    return [person] + entries.map(\.section) + [certificate].filter { !$0.statements.isEmpty }
  }
}

extension EuropeanCertificate.Entry {
  fileprivate var section: StatementSection {
    switch self {
    case .vaccination(let one):
      StatementSection(
        "vaccination",
        [
          .coded("disease", one.common.disease, ValueSets.diseases),
          .coded("product", one.product, ValueSets.products),
          .coded("vaccine", one.vaccine, ValueSets.vaccines),
          .coded("maker", one.maker, ValueSets.makers),
          one.doseStatement,
          .date("vaccinated-on", one.date),
        ] + one.common.statements)
    case .test(let one):
      StatementSection(
        "test",
        [
          .coded("disease", one.common.disease, ValueSets.diseases),
          .coded("result", one.result, ValueSets.results),
          .coded("test-type", one.type, ValueSets.testTypes), .text("test-name", one.name),
          .coded("test-device", one.device, ValueSets.testDevices),
          .date("sampled-at", one.sampledAt), .date("result-at", one.resultAt),
          .text("test-centre", one.centre),
        ] + one.common.statements)
    case .recovery(let one):
      StatementSection(
        "recovery",
        [
          .coded("disease", one.common.disease, ValueSets.diseases),
          .date("first-positive", one.firstPositive), .date("valid-from", one.from),
          .date("valid-until", one.until),
        ] + one.common.statements)
    }
  }
}

extension EuropeanCertificate.Vaccination {
  fileprivate var doseStatement: Statement? {
    .text("dose", writtenDose) ?? dose.map { Statement("dose", .dose($0, of: doses)) }
  }
}

extension EuropeanCertificate.Common {
  fileprivate var statements: [Statement?] {
    [
      .country("country", country), .text("issuer", issuer),
      .text("identifier", identifier),
    ]
  }
}
