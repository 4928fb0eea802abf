import PolyclinicCore

/// The pages of the plain record of vaccinations.
enum VaccinationPages {
  static var routes: [Route] {
    [
      .get("record", list),
      .form(
        "record/new", Vaccination.form, title: "record.new", cancel: "record",
        start: start, prepare: Vaccination.check, save: create),
      .get("record/{id}", show),
      .edit(
        "record/{id}/edit", Vaccination.records, title: "record.edit", list: "record/{id}",
        prepare: Vaccination.check),
      .delete(
        "record/{id}/delete", Vaccination.records, cancel: "record/{id}", list: "record"),
    ]
  }

  /// Returns an empty record, or one filled in from the code of a certificate.
  private static func start(_ context: Context) throws -> Vaccination {
    let query = context.request.query
    guard let id = ID<Certificate>(query["certificate"]), let number = Int(query["number"]),
      (1...100).contains(number)
    else { return Vaccination() }
    let payload = try CertificateFile.payload(number).bytes(of: id, in: context)
    return Vaccination(Code(payload)) ?? Vaccination()
  }

  private static func create(
    _ vaccination: Vaccination, _ context: Context
  ) throws -> Path {
    let id = try Vaccination.records.insert(vaccination, in: context)
    return "record/\(id)"
  }

  private static func list(_ context: Context) throws -> Response {
    let list = VaccinationList(
      found: try Vaccination.index.page(context.request.query.page, in: context),
      overdue: Set(try Vaccination.overdue(context).map(\.id)),
      context: context)
    let notice = try Vaccination.records.undoNotice(context)
    return .page(
      Page("record.title", "\(notice)\(list.html)", back: "", actions: list.newButton))
  }

  private static func show(_ context: Context) throws -> Response {
    let vaccination = try Vaccination.records.load(context)
    let overdue = try Vaccination.overdue(context)
    let id: ID<Vaccination> = try context.id()
    return .page(
      VaccinationPage(
        id: id, vaccination: vaccination, isOverdue: overdue.contains { $0.id == id },
        context: context
      ).page)
  }
}

/// The list of a person's vaccinations, the latest first.
struct VaccinationList {
  let found: SealedIndex<Vaccination.Entry>.Slice
  let overdue: Set<ID<Vaccination>>
  let context: Context

  var newButton: HTML? {
    found.isEmpty
      ? nil
      : context.button("record.new", to: "/vaccination-qr/record/new")
  }

  var html: HTML {
    if found.isEmpty {
      return context.emptyState(
        .document, "record.empty", hint: "record.empty.hint",
        actions: context.button("record.new", to: "/vaccination-qr/record/new"))
    }
    return """
      \(rows: found.entries, { Self.row($0, markingFrom: overdue, context) })\(pages)
      """
  }

  /// Returns the row of a vaccination, marked if it is one of the overdue ones.
  static func row(
    _ entry: Vaccination.Entry, markingFrom overdue: Set<ID<Vaccination>>, _ context: Context
  ) -> HTML {
    let date: HTML? = entry.date.map { "\(context.formats.date($0))" }
    let label: HTML? = entry.label.isEmpty ? nil : " · <bdi>\(entry.label)</bdi>"
    let due: HTML? = entry.nextDue.map {
      " · \(context.text("record.due", ["date": context.formats.date($0)]))"
    }
    let overdue: HTML? =
      overdue.contains(entry.id) ? " \(context.badge("record.overdue", .danger))" : nil
    return .row(
      to: "/vaccination-qr/record/\(entry.id)", "<bdi>\(entry.vaccine)</bdi>",
      detail: "\(date)\(label)\(due)\(overdue)")
  }

  private var pages: HTML? {
    let list: Path = "/vaccination-qr/record"
    return context.pageLinks(found.pagination) { list.query(["page": String($0)]) }
  }
}

/// The page of one vaccination.
struct VaccinationPage {
  let id: ID<Vaccination>
  let vaccination: Vaccination
  let isOverdue: Bool
  let context: Context

  var page: Page {
    let path: Path = "/vaccination-qr/record/\(id)"
    return Page(
      "record.one",
      """
      <div class="title"><h1><bdi>\(vaccination.vaccine)</bdi></h1></div>\
      \(context.facts(facts.map { HTML.Fact($0, $1) }))\
      \(actions:
        context.button("record.change", to: "\(path)/edit"),
        context.button("record.delete", to: "\(path)/delete", style: [.danger, .secondary]))
      """, back: "record", hasOwnHeading: true)
  }

  private var facts: [(Text, HTML?)] {
    [
      ("field.person", typed(vaccination.label)), ("field.disease", typed(vaccination.disease)),
      ("field.date", day(vaccination.date)), ("field.dose", vaccination.dose.map { "\($0)" }),
      ("field.batch", typed(vaccination.batch)), ("field.given_by", typed(vaccination.givenBy)),
      ("field.next_due", nextDue), ("field.remind", reminder),
    ]
  }

  private var nextDue: HTML? {
    let badge: HTML? = isOverdue ? " \(context.badge("record.overdue", .danger))" : nil
    return day(vaccination.nextDue).map { "\($0)\(badge)" }
  }

  /// The requested reminder; nil after the due date, when no reminder before it can come any more.
  private var reminder: HTML? {
    vaccination.isReminded && !vaccination.isDue(before: context.today)
      ? "\(context.text("record.reminded"))" : nil
  }

  private func typed(_ text: String) -> HTML? { text.isEmpty ? nil : "<bdi>\(text)</bdi>" }

  private func day(_ date: CalendarDate?) -> HTML? {
    date.map { "\(context.formats.date($0))" }
  }
}
