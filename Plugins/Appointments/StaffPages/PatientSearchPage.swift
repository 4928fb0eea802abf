import PolyclinicCore

/// The reception's search for the patient who calls or stands at the desk.
struct PatientSearchPage {
  /// The search, and the people whom it has found; nil before it.
  let found: (search: PatientSearch, people: [Portal.FoundPerson])?
  /// The other ways to book, shown before the search: the doctors of the reception, or the link to book a chosen time
  /// for oneself.
  let others: HTML
  /// The doctor and the time, or the waiting list, if they are chosen before the patient.
  let chosen: Fields
  /// The summary of the doctor and the time, if both are chosen, or of the waiting list.
  let summary: HTML?
  /// The times of the chosen doctor; nil without one.
  let times: Path?
  let context: Context

  /// The address of the page, and of the booking that follows.
  static let path: Path = "/appointments/desk/book"

  var page: Page {
    Page(
      chosen["list"].isEmpty ? "desk.book" : "desk.line.add",
      "\(summary)\(Self.form(saying: found?.search.typed ?? "", keeping: chosen, context))\(found == nil ? others : results)",
      back: times ?? "desk")
  }

  /// Returns the search field, also for the top of the desk.
  static func form(
    saying typed: String = "", keeping chosen: Fields = Fields(), _ context: Context
  ) -> HTML {
    let hidden: HTML = """
      \(context.hiddenFields())\(each: chosen.pairs, { pair in
        "<input type=\"hidden\" name=\"\(pair.name)\" value=\"\(pair.value)\">"
      })
      """
    return context.searchForm(
      at: "/appointments/desk/search", "desk.search", words: typed, submit: "desk.search.submit",
      hint: "desk.search.hint", posting: hidden)
  }

  private var results: HTML? {
    guard let found else { return nil }
    let list = chosen["list"]
    let new: HTML =
      list.isEmpty
      ? context.button(
        "desk.new", to: Path("/appointments/desk/new").query(chosen), style: .secondary)
      : context.button(
        "desk.line.new", to: "/appointments/desk/queue/\(list)/new", style: .secondary)
    if found.people.isEmpty {
      return context.emptyState(
        .glass, "desk.search.nobody", hint: "desk.search.nobody.hint", actions: new)
    }
    let (isCut, isSimilar) = (found.search.isCut, found.search.isSimilar)
    let more: HTML? = isCut ? context.notice(.remark, "desk.search.more", as: .warning) : nil
    let similar: HTML? =
      isSimilar ? context.notice(.remark, "desk.search.similar", as: .warning) : nil
    let count = isCut ? "desk.search.first" : "desk.search.count"
    return """
      \(similar)\(context.resultCount(Text(count, count: found.people.count)))\
      \(more)\(rows: found.people, { $0.row(keeping: chosen, context) })\(actions: new)
      """
  }
}

extension Portal.FoundPerson {
  /// Returns the row that goes on with this patient: with the booking, with the doctor and the time kept, or with the
  /// chosen waiting list.
  func row(keeping chosen: Fields, _ context: Context) -> HTML {
    var query = chosen
    query.append("patient_id", person.description)
    let list = chosen["list"]
    let path =
      list.isEmpty
      ? PatientSearchPage.path.query(query)
      : Path("/appointments/desk/queue/\(list)/join").query(["patient_id": person.description])
    return .row(to: path, "<bdi>\(name)</bdi>", detail: detail(context))
  }

  /// Returns the birth date and the end of the telephone number.
  func detail(_ context: Context) -> HTML? {
    let birth = birthDate.map {
      context.text("desk.search.born", ["date": context.formats.date($0)])
    }
    let phone =
      phoneEnding.isEmpty
      ? nil : context.text("desk.search.phone", ["ending": phoneEnding])
    let parts = [birth, phone].compactMap(\.self)
    return parts.isEmpty ? nil : "\(parts.joined(separator: " · "))"
  }

  /// Returns the patient at the top of each step of a booking, with the link to choose another one.
  func heading(_ context: Context) -> HTML {
    """
    <p class="lead">\(context.text("desk.search.for")) <strong><bdi>\(name)</bdi></strong> \
    <span class="secondary-text">\(detail(context))</span> \
    <a class="change" href="\(PatientSearchPage.path)">\(context.text("desk.search.another"))</a></p>
    """
  }
}
