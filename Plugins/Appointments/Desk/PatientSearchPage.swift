import PolyclinicCore

/// The reception's search for the patient who calls or stands at the reception.
struct PatientSearchPage {
  /// The search, and the people whom it has found; nil before it.
  let found: (search: PatientSearch, people: [Portal.FoundPerson])?
  /// The other ways to book, shown before the search: the doctors of the reception, or the link to
  /// book a chosen time for oneself.
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
    get throws {
      let form = Self.form(saying: found?.search.typed ?? "", keeping: chosen, context)
      return Page(
        chosen["list"].isEmpty ? "reception.book" : "reception.line.add",
        "\(summary)\(form)\(try found == nil ? others : results)", back: times ?? "desk")
    }
  }

  /// Returns the search field, also for the top of the reception's day.
  static func form(
    saying typed: String = "", keeping chosen: Fields = Fields(), _ context: Context
  ) -> HTML {
    let hidden: HTML = """
      \(context.hiddenFields())\(each: chosen.pairs, { pair in
        "<input type=\"hidden\" name=\"\(pair.name)\" value=\"\(pair.value)\">"
      })
      """
    return context.searchForm(
      at: "/appointments/desk/search", "reception.search", words: typed,
      submit: "reception.search.submit",
      hint: "reception.search.hint", posting: hidden)
  }

  private var results: HTML? {
    get throws {
      guard let found else { return nil }
      if found.people.isEmpty {
        return context.emptyState(
          .glass, "reception.search.nobody", hint: "reception.search.nobody.hint", actions: new)
      }
      let (isCut, isSimilar) = (found.search.isCut, found.search.isSimilar)
      let more: HTML? = isCut ? context.notice(.remark, "reception.search.more", as: .warning) : nil
      let similar: HTML? =
        isSimilar ? context.notice(.remark, "reception.search.similar", as: .warning) : nil
      let count = isCut ? "reception.search.first" : "reception.search.count"
      return """
        \(similar)\(context.resultCount(Text(count, count: found.people.count)))\
        \(more)\(rows: try found.people.map { try $0.row(keeping: chosen, context) })\
        \(actions: new)
        """
    }
  }

  private var new: HTML {
    let list = chosen["list"]
    return list.isEmpty
      ? context.button(
        "reception.new", to: Path("/appointments/desk/new").query(chosen), style: .secondary)
      : context.button(
        "reception.line.new", to: "/appointments/desk/queue/\(list)/new", style: .secondary)
  }
}

extension Portal.FoundPerson {
  /// Returns the row that goes on with this patient: with the booking, with the doctor and the time
  /// kept, or with the chosen waiting list.
  func row(keeping chosen: Fields, _ context: Context) throws -> HTML {
    let patient = try SealedSearchValue.patient.seal(person.description, context)
    var query = chosen
    query.append(SealedSearchValue.field, patient)
    let list = chosen["list"]
    let path =
      list.isEmpty
      ? PatientSearchPage.path.query(query)
      : Path("/appointments/desk/queue/\(list)/join").query([SealedSearchValue.field: patient])
    return .row(to: path, "<bdi>\(name)</bdi>", detail: detail(context))
  }

  /// Returns the birth date and the end of the telephone number.
  func detail(_ context: Context) -> HTML? {
    let birth = birthDate.map {
      context.text("reception.search.born", ["date": context.formats.date($0)])
    }
    let phone =
      phoneEnding.isEmpty
      ? nil : context.text("reception.search.phone", ["ending": phoneEnding])
    let parts = [birth, phone].compactMap(\.self)
    return parts.isEmpty ? nil : "\(parts.joined(separator: " · "))"
  }

  /// Returns the patient at the top of each step of a booking, with the link to choose another one.
  func heading(_ context: Context) -> HTML {
    """
    <p class="lead">\(context.text("reception.search.for")) <strong><bdi>\(name)</bdi></strong> \
    <span class="secondary-text">\(detail(context))</span> \
    <a class="change" href="\(PatientSearchPage.path)">\(context.text("reception.search.another"))</a></p>
    """
  }
}
