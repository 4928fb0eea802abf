import PolyclinicCore

extension Vaccination {
  /// Appends the vaccination records as Immunizations (hl7.org/fhir/R4/immunization.html).
  static func fhir(_ work: Work, _ resources: JSON.Writer) throws {
    try records.forEach(in: work) { id, vaccination in
      try resources.append(vaccination.immunization(id: "vaccination-\(id)"))
    }
  }

  private func immunization(id: String) -> JSON {
    let disease: JSON? =
      disease.isEmpty ? nil : .array([FHIR.concept([], text: disease)])
    let dose = FHIR.object([
      ("targetDisease", disease), ("doseNumberPositiveInt", FHIR.positive(dose.map(Int64.init))),
    ])
    let owner: JSON? =
      label.isEmpty ? ["reference": .string(PersonalData.patientReference)] : nil
    let resource = FHIR.object([
      ("resourceType", "Immunization"), ("id", .string(id)), ("status", "completed"),
      ("vaccineCode", FHIR.concept([], text: vaccine)), ("patient", owner),
      FHIR.occurrence(date?.description), ("primarySource", false),
      ("lotNumber", batch.isEmpty ? nil : .string(batch)),
      (
        "performer",
        FHIR.display(givenBy.isEmpty ? nil : givenBy).map { .array([["actor": $0]]) }
      ),
      // FHIR requires the dose number in this member.
      ("protocolApplied", self.dose == nil ? nil : .array([dose])),
    ])
    return owner != nil ? resource : CertificateHolder(name: label).subject(of: resource)
  }
}
