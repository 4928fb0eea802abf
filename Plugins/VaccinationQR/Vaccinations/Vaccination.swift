import PolyclinicCore

/// A vaccination that somebody has had, against any disease, with or without a certificate.
struct Vaccination: Resealable {
  /// The name of the one who had it, such as "Mother"; empty for the person of the account.
  var label = ""
  var vaccine = ""
  var disease = ""
  var date: CalendarDate?
  var dose: Int?
  /// The lot number on the vial.
  var batch = ""
  /// The clinic or the person who gave it.
  var givenBy = ""
  var nextDue: CalendarDate?
  /// True where a notice is to come before ``nextDue``.
  var isReminded = false
  var unknown = UnknownFields()
}

extension Vaccination {
  static let index = SealedIndex<Entry>("vaccination_qr_vaccinations_index")

  static let records = Records(
    "vaccination_qr_vaccinations", id: "id_vaccination",
    sealed: Slot("vaccination_qr_vaccinations.sealed", form), index: index, title: \.vaccine,
    entry: Entry.init(_:id:),
    alongside: { vaccination, id, _, connection in
      try VaccinationReminder.note(vaccination, id, on: connection)
    })

  static let migration = Migration(
    "0003-vaccinations", records.schema + [VaccinationReminder.schema])

  /// The fields for the page, for JSON, and for what is sealed.
  static let form = Form(
    Vaccination(),
    .text(\.vaccine, "vaccine", required: true, limit: 200, autocomplete: "off"),
    .text(\.disease, "disease", limit: 200, autocomplete: "off", hint: "field.disease.hint"),
    .date(\.date, "date", required: true),
    .integer(\.dose, "dose", in: 1...100),
    .text(\.batch, "batch", limit: 100, autocomplete: "off", hint: "field.batch.hint"),
    .text(\.givenBy, "given_by", limit: 200, autocomplete: "off"),
    .text(\.label, "label", limit: 100, autocomplete: "off", hint: "field.person.hint"),
    .date(\.nextDue, "next_due"),
    .check(\.isReminded, "remind", hint: "field.remind.hint")
  ).requiring("next_due") { vaccination in
    guard let date = vaccination.date, let next = vaccination.nextDue, next <= date else {
      return vaccination.isReminded && vaccination.nextDue == nil ? "error.next-due-missing" : nil
    }
    return "error.next-due-earlier"
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a date that is still to come.
  @Sendable
  static func check(_ vaccination: inout Vaccination, _ context: Context) throws {
    if let date = vaccination.date, date > context.today {
      throw Refusal.invalid("date", "error.future")
    }
  }

  /// The part of a vaccination that the list reads.
  struct Entry: SealedEntry {
    let id: ID<Vaccination>
    let date: CalendarDate?
    let vaccine: String
    let label: String
    let nextDue: CalendarDate?

    init(_ vaccination: Vaccination, id: ID<Vaccination>) {
      self.id = id
      date = vaccination.date
      vaccine = vaccination.vaccine
      label = vaccination.label
      nextDue = vaccination.nextDue
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      date = try bytes.date()
      vaccine = try bytes.string()
      label = try bytes.string()
      nextDue = try bytes.date()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      bytes.write(date)
      bytes.write(vaccine)
      bytes.write(label)
      bytes.write(nextDue)
    }

    /// The latest first.
    static func < (one: Entry, other: Entry) -> Bool {
      let days = (one.date?.daysSince1970 ?? 0, other.date?.daysSince1970 ?? 0)
      return (days.1, other.id) < (days.0, one.id)
    }
  }
}
