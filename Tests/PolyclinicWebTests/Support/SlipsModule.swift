import PolyclinicCore
import PolyclinicTestSupport

/// A test module whose records, a text and some numbers, are available over the JSON API.
struct SlipsModule: Module {
  var id: ModuleID = "slips"
  var title: Text { "slips" }
  var catalog: Catalog {
    .titled("Slips", #""slips": "Slips""#, Slip.labels)
  }
  var migrations: [Migration] { [Migration("0001-slips", Slip.records.schema)] }
  var personalData: PersonalData { PersonalData(export: Slip.records.export) }
  var resources: [Resource] {
    [
      Resource(
        Slip.records, called: "Slip", about: .init("Slips."),
        check: { note, context in
          if note.text == "broken" { throw UnsealingError() }
          if let day = note.day, day > context.today {
            throw Refusal.invalid("day", "error.future")
          }
        })
    ]
  }
}

struct Slip: Resealable, Equatable {
  var text = ""
  var weight: Double?
  var count: Int?
  var day: CalendarDate?
  var isRead = false
  var unknown = Sealed.UnknownFields()

  static let form = Form(
    Slip(), .text(\.text, "text", required: true, limit: 20),
    .decimal(\.weight, "weight", in: 0.5...650), .integer(\.count, "count", in: 0...9),
    .date(\.day, "day"), .check(\.isRead, "read"))

  static let labels = """
    "field.text": "Text", "field.weight": "Weight", "field.count": "Count", "field.day": "Day",
    "field.read": "Read"
    """

  static let records = Records(
    "slips", id: "id_slip", form: form,
    index: form.excerpt(in: "slips_index", \.text, by: { _ in "" }), title: \.text)
}

/// A second test module, which refuses every new record with a conflict.
struct PapersModule: Module {
  let id: ModuleID = "papers"
  var title: Text { "title" }
  var catalog: Catalog { .titled("Papers", Slip.labels) }
  var personalData: PersonalData { PersonalData { _, _ in } }
  var resources: [Resource] {
    [
      Resource(
        at: "daily", called: "Paper", about: .init("Papers."), form: Slip.form,
        rest: [JSON.Member("state", ["type": "string"])],
        .init(
          list: { _, _, _ in [] },
          find: { id, _ in
            id < 3 ? .init(id, Slip(text: "News"), rest: [JSON.Member("state", "read")]) : nil
          },
          create: { _, _ in throw Refusal.conflict("error.choice") },
          replace: { note, _, _ in
            if note.text.isEmpty { throw Refusal.conflict("error.choice") }
          },
          delete: { _, _ in },
          instead: { ["\($0.request.fields["text"]) tomorrow"].map { .string($0) } }))
    ]
  }
}
