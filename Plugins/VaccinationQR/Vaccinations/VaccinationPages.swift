import PolyclinicCore

extension VaccinationQRModule {
  var recordRoutes: [Route] {
    [
      .get("record", listVaccinations),
      .form(
        "record/new", Vaccination.form, title: "record.new", cancel: "record",
        start: startVaccination, prepare: Vaccination.check, save: createVaccination),
      .get("record/{id}", showVaccination),
      .form(
        "record/{id}/edit", Vaccination.form, title: "record.edit", cancel: "record/{id}",
        load: Vaccination.records.load, prepare: Vaccination.check, save: updateVaccination),
      .delete(
        "record/{id}/delete", Vaccination.records, cancel: "record/{id}", list: "record"),
    ]
  }

  /// Empty, or as the code of a certificate says it.
  private func startVaccination(_ context: Context) throws -> Vaccination {
    let query = context.request.query
    guard let id = ID<Certificate>(query["certificate"]), let number = Int(query["number"]),
      (1...100).contains(number)
    else { return Vaccination() }
    let payload = try context.database.read {
      try Certificate.file(.payload(number), of: id, by: context.keys, on: $0)
    }
    return Vaccination(Code(payload)) ?? Vaccination()
  }

  private func createVaccination(
    _ vaccination: Vaccination, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let id = try Vaccination.records.insert(
      vaccination, at: context.now, by: context.keys, on: connection)
    return "record/\(id)"
  }

  private func updateVaccination(
    _ vaccination: Vaccination, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let id: ID<Vaccination> = try context.id()
    try Vaccination.records.replace(id, with: vaccination, by: context.keys, on: connection)
    return "record/\(id)"
  }

  private func listVaccinations(_ context: Context) throws -> Response {
    let (found, notice) = try context.database.read { connection in
      (
        try Vaccination.index.page(
          context.request.query.page, by: context.keys, on: connection),
        try Vaccination.records.undoNotice(context, on: connection)
      )
    }
    let list = VaccinationList(found: found, context: context)
    return .page(
      Page("record.title", "\(notice)\(list.html)", back: "", actions: list.newButton))
  }

  private func showVaccination(_ context: Context) throws -> Response {
    let vaccination = try Vaccination.records.load(context)
    return .page(
      VaccinationDetails(id: try context.id(), vaccination: vaccination, context: context).page)
  }
}

/// The vaccinations of a person, the latest first.
struct VaccinationList {
  let found: Slice<Vaccination.Entry>
  let context: Context

  var newButton: HTML? {
    found.isEmpty
      ? nil
      : "<a class=\"button\" href=\"/vaccination-qr/record/new\">\(context.text("record.new"))</a>"
  }

  var html: HTML {
    if found.isEmpty {
      return """
        <section class="empty">\(context.icon(.document))<h2>\(context.text("record.empty"))</h2>\
        <p>\(context.text("record.empty.hint"))</p><p class="actions">\
        <a class="button" href="/vaccination-qr/record/new">\(context.text("record.new"))</a></p></section>
        """
    }
    return """
      <ul class="rows">\(each: found.entries, row)</ul>\(pages)
      """
  }

  private func row(_ entry: Vaccination.Entry) -> HTML {
    let date: HTML? = entry.date.map { "\(context.formats.date($0))" }
    let label: HTML? = entry.label.isEmpty ? nil : " · <bdi>\(entry.label)</bdi>"
    let due: HTML? = entry.nextDue.map {
      " · \(context.text("record.due", ["date": context.formats.date($0)]))"
    }
    return """
      <li><a href="/vaccination-qr/record/\(entry.id)"><span><strong><bdi>\(entry.vaccine)</bdi></strong>\
      <span class="secondary-text">\(date)\(label)\(due)</span></span></a></li>
      """
  }

  private var pages: HTML? {
    let list: Path = "/vaccination-qr/record"
    return context.pageLinks(found.pagination) { list.query(["page": String($0)]) }
  }
}

/// The page of one vaccination.
struct VaccinationDetails {
  let id: ID<Vaccination>
  let vaccination: Vaccination
  let context: Context

  var page: Page {
    let path: Path = "/vaccination-qr/record/\(id)"
    return Page(
      "record.one",
      """
      <div class="title"><h1><bdi>\(vaccination.vaccine)</bdi></h1></div>\
      <dl class="details">\(each: facts, { label, value in
        value.map { "<div><dt>\(context.text(label))</dt><dd>\($0)</dd></div>" } ?? HTML()
      })</dl><p class="actions"><a class="button" href="\(path)/edit">\(context.text("record.change"))</a> \
      <a class="button danger secondary" href="\(path)/delete">\(context.text("record.delete"))</a></p>
      """, back: "record", hasOwnHeading: true)
  }

  private var facts: [(Text, HTML?)] {
    [
      ("field.label", typed(vaccination.label)), ("field.disease", typed(vaccination.disease)),
      ("field.date", day(vaccination.date)), ("field.dose", vaccination.dose.map { "\($0)" }),
      ("field.batch", typed(vaccination.batch)), ("field.given_by", typed(vaccination.givenBy)),
      ("field.next_due", day(vaccination.nextDue)),
      ("field.remind", vaccination.isReminded ? "\(context.text("record.reminded"))" : nil),
    ]
  }

  private func typed(_ text: String) -> HTML? { text.isEmpty ? nil : "<bdi>\(text)</bdi>" }

  private func day(_ date: CalendarDate?) -> HTML? {
    date.map { "\(context.formats.date($0))" }
  }
}
