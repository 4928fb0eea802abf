import PolyclinicCore

/// The reception's search for the patient who calls or stands at the desk.
struct PatientSearchPage {
  /// The people who match, and true if more people do; nil before the search.
  let found: (people: [Portal.FoundPerson], isCut: Bool)?
  /// The doctors of the reception, for a booking that begins with the doctor; nil if doctor and time are chosen.
  let doctors: HTML?
  /// The doctor and the time, if they are chosen before the patient.
  let chosen: Fields
  let context: Context

  /// The address of the page, and of the booking that follows.
  static let path: Path = "/appointments/desk/book"

  var page: Page {
    let rest: HTML? =
      found == nil
      ? doctors.map { "<h2>\(context.text("desk.search.doctor-first"))</h2>\($0)" } : nil
    return Page(
      "desk.book", "\(Self.form(keeping: chosen, context))\(results)\(rest)", back: "desk")
  }

  /// Returns the search field, also for the top of the desk.
  static func form(keeping chosen: Fields = Fields(), _ context: Context) -> HTML {
    """
    <form class="search" role="search" method="post" action="/appointments/desk/search">\
    \(context.hiddenFields())\(each: chosen.pairs, { pair in
      "<input type=\"hidden\" name=\"\(pair.name)\" value=\"\(pair.value)\">"
    })<label for="q">\(context.text("desk.search"))</label>\
    <input type="search" id="q" name="q" autocomplete="off" maxlength="200" \
    aria-describedby="q-hint">\(context.submit("desk.search.submit", style: .secondary))\
    <p class="hint filters" id="q-hint">\(context.text("desk.search.hint"))</p></form>
    """
  }

  private var results: HTML? {
    guard let found else { return nil }
    let new: HTML = context.button(
      "desk.new", to: Path("/appointments/desk/new").query(chosen), style: .secondary)
    if found.people.isEmpty {
      return context.emptyState(
        .glass, "desk.search.nobody", hint: "desk.search.nobody.hint", actions: new)
    }
    let more: HTML? =
      found.isCut ? context.notice(.remark, "desk.search.more", as: .warning) : nil
    return """
      <p class="count" role="status">\(context.text("desk.search.count", count: found.people.count))</p>\
      \(more)\(rows: found.people, row)\(actions: new)
      """
  }

  private func row(_ person: Portal.FoundPerson) -> HTML {
    var query = chosen
    query.append("patient_id", person.person.description)
    return .row(
      to: Self.path.query(query),
      "<bdi>\(person.name)</bdi>", detail: person.detail(context))
  }
}

extension Portal.FoundPerson {
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
