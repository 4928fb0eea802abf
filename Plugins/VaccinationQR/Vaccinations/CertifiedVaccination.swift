import PolyclinicCore

extension Vaccination {
  /// Creates a record from the latest vaccination in a code. Returns nil if the code certifies
  /// none.
  init?(_ code: Code) {
    let resources = code.certificate?.fhir(id: "certificate") ?? []
    let vaccinations = resources.filter {
      $0["resourceType"]?.string?.isIdentical(to: "Immunization") == true
    }
    guard
      let latest = vaccinations.map(Vaccination.init(immunization:)).max(by: { one, other in
        (one.date?.daysSince1970 ?? 0) < (other.date?.daysSince1970 ?? 0)
      })
    else { return nil }
    self = latest
    label = Self.bounded(code.certificate?.holder.name, Certificate.labelLimit)
  }

  /// Reads the fields of the record from an Immunization (hl7.org/fhir/R4/immunization.html).
  private init(immunization: JSON) {
    let code = immunization["vaccineCode"]
    vaccine = Self.bounded((code?["text"] ?? code?["coding"]?.items.first?["display"])?.string, 200)
    let applied = immunization["protocolApplied"]?.items.first
    let disease = applied?["targetDisease"]?.items.first?["coding"]?.items.first?["display"]
    self.disease = Self.bounded(disease?.string, 200)
    date = (immunization["occurrenceDateTime"]?.string).flatMap {
      CalendarDate(String($0.prefix(10)))
    }
    if case .integer(let number)? = applied?["doseNumberPositiveInt"] { dose = Int(number) }
    batch = Self.bounded(immunization["lotNumber"]?.string, 100)
    let performer = immunization["performer"]?.items.first
    givenBy = Self.bounded(performer?["actor"]?["display"]?.string, 200)
  }

  private static func bounded(_ value: String?, _ limit: Int) -> String {
    String((value ?? "").prefix(limit))
  }
}
