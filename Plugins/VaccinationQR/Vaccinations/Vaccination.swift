import PolyclinicCore

/// A record of a vaccination against any disease, with or without a certificate.
struct Vaccination: Resealable {
  /// The name of the vaccinated person, such as "Mother"; empty for the account's owner.
  var label = ""
  var vaccine = ""
  var disease = ""
  var date: CalendarDate?
  var dose: Int?
  /// The lot number on the vial.
  var batch = ""
  /// The clinic or the person that gave the vaccination.
  var givenBy = ""
  var nextDue: CalendarDate?
  /// True if the user expects no further dose, so that none is proposed.
  var isLast = false
  /// True if the user wants a reminder before ``nextDue``.
  var isReminded = false
  var unknown = Sealed.UnknownFields()
}

extension Vaccination {
  /// The excerpt for the list.
  typealias Entry = Form<Vaccination>.Excerpt

  /// The latest vaccination comes first.
  static let index = form.excerpt(
    in: "vaccination_qr_vaccinations_index", \.date, \.vaccine, \.label, \.nextDue, \.disease,
    \.dose, \.isLast, latestBy: \.date)

  static let records = Records(
    "vaccination_qr_vaccinations", id: "id_vaccination", form: form, index: index,
    title: \.vaccine,
    alongside: { try $0.noteReminder(for: $1, in: $2) })

  static let schema = records.schema + [reminders]

  /// The fields for the page, for JSON, and for sealed storage.
  static let form = Form(
    Vaccination(),
    .text(
      \.vaccine, "vaccine", required: true, limit: 200, autocomplete: "off",
      hint: "field.vaccine.hint"
    ).helped(by: .list(UsualVaccine.names)),
    .text(\.disease, "disease", limit: 200, autocomplete: "off", hint: "field.disease.hint"),
    .date(\.date, "date", required: true).untilToday,
    .integer(\.dose, "dose", in: 1...100, hint: "field.dose.hint"),
    .text(\.batch, "batch", limit: 100, autocomplete: "off", hint: "field.batch.hint"),
    .text(\.givenBy, "given_by", limit: 200, autocomplete: "off"),
    .text(\.label, "label", limit: 100, autocomplete: "off", hint: "field.person.hint")
      .labelled("field.person").ownPagesOnly,
    .date(\.nextDue, "next_due"),
    .check(\.isLast, "last"),
    .check(\.isReminded, "remind", hint: "field.remind.hint")
  ).requiring("next_due") { vaccination in
    guard let date = vaccination.date, let next = vaccination.nextDue, next <= date else {
      return vaccination.isReminded && vaccination.nextDue == nil ? "error.next-due-missing" : nil
    }
    return "error.next-due-earlier"
  }
  .doubting("date") { try $0.isBeforeBirth($1) ? "doubt.before-birth" : nil }
  .doubting("date") { try $0.isRecorded($1) ? "doubt.recorded" : nil }
  .doubting("next_due") { $0.isReminded && $0.isDue(before: $1.today) ? "doubt.passed" : nil }
  .doubting("next_due") { $0.isFarAhead ? "doubt.far" : nil }

  /// Throws ``Refusal/invalid(_:_:)`` for a date in the future.
  static func check(_ vaccination: inout Vaccination, _ context: Context) throws {
    if let date = vaccination.date, date > context.today {
      throw Refusal.invalid("date", "error.future")
    }
  }
}

/// The unusual values of a vaccination that the user confirms before it is saved.
extension Vaccination {
  /// The years until a next vaccination beyond which a date is more often a typing error.
  private static let longestInterval = 60

  /// True if ``nextDue`` is before that day.
  func isDue(before day: CalendarDate) -> Bool { nextDue.map { $0 < day } ?? false }

  /// True if the next vaccination is due an unusually long time after this one.
  var isFarAhead: Bool {
    guard let date, let nextDue else { return false }
    return nextDue.year - date.year > Self.longestInterval
  }

  /// True if the date is before the birth of the account's owner, who is the vaccinated person.
  func isBeforeBirth(_ context: Context) throws -> Bool {
    guard label.isEmpty, let date else { return false }
    let birth = try context.portal.people.birthDate(in: context)
    return birth.map { date < $0 } ?? false
  }

  /// True if another record has the same vaccine, date and person, such as one from the same
  /// certificate.
  func isRecorded(_ context: Context) throws -> Bool {
    let own: ID<Vaccination>? = context.request.parameters["id"].flatMap { ID($0) }
    var isRecorded = false
    try Self.index.prefix(in: context) { entry in
      isRecorded =
        entry.id != own && entry.date == date && entry.vaccine == vaccine && entry.label == label
      return !isRecorded
    }
    return isRecorded
  }
}

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

  /// Appends the vaccination records as Immunizations (hl7.org/fhir/R4/immunization.html).
  static func fhir(_ work: Work, _ resources: JSON.Writer) throws {
    try records.forEach(in: work) { id, vaccination in
      try resources.append(vaccination.immunization(id: "vaccination-\(id)"))
    }
  }

  private func immunization(id: String) -> JSON {
    let disease: JSON? = disease.isEmpty ? nil : .array([FHIR.concept([], text: disease)])
    let dose = FHIR.object([
      ("targetDisease", disease), ("doseNumberPositiveInt", FHIR.positive(dose.map(Int64.init))),
    ])
    let owner: JSON? = label.isEmpty ? ["reference": .string(PersonalData.patientReference)] : nil
    let resource = FHIR.object([
      ("resourceType", "Immunization"), ("id", .string(id)), ("status", "completed"),
      ("vaccineCode", FHIR.concept([], text: vaccine)), ("patient", owner),
      FHIR.occurrence(date?.description), ("primarySource", false),
      ("lotNumber", batch.isEmpty ? nil : .string(batch)),
      FHIR.performer(givenBy.isEmpty ? nil : givenBy),
      // FHIR requires the dose number in this member.
      ("protocolApplied", self.dose == nil ? nil : .array([dose])),
    ])
    return owner != nil ? resource : CertificateHolder(name: label).subject(of: resource)
  }
}
