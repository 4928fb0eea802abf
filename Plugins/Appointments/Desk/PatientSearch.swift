import PolyclinicCore

/// The result of the reception's search for a patient: the people found.
///
/// The words are sent in a form. The address of the result has the words and the numbers of the
/// people, sealed with the receptionist's key. So no name or telephone number is readable in the
/// browser's history or in a log, and nobody is opened by a number that was made up. The
/// receptionist can go back to the result, and add a word to the search.
struct PatientSearch {
  static let address: Address<Void> = "/appointments/desk/search"
  static var route: Route {
    .post(address.path, access: .role(.receptionist), run).leadingBack(to: ReceptionBooking.path)
  }

  /// The words as they were typed; empty if the address has none that this receptionist typed
  /// today.
  let typed: String
  let people: [ID<Person>]
  /// True if more people match.
  let isCut: Bool
  /// True if nobody has the name as it was typed, and these people have similar ones.
  let isSimilar: Bool

  /// The maximum number of people in an address.
  private static let most = 10

  /// Reads the query of an address; nil if it has no result. Throws ``Refusal/gone(_:)`` if it has
  /// one that is not of this receptionist and of today.
  init?(_ query: Fields, _ context: Context) throws {
    guard query.contains("found") else { return nil }
    guard let found = try SealedSearchValue.found.open(query["found"], context) else {
      throw Refusal.gone("reception.search.over")
    }
    typed = try SealedSearchValue.words.open(query["words"], context) ?? ""
    people = found.split(separator: ",").prefix(Self.most).compactMap { ID(String($0)) }
    isCut = query["more"] == "1"
    isSimilar = query["similar"] == "1"
  }

  /// Returns the people with their details. Uses a write transaction, because each person's access
  /// log gets an entry.
  static func told(_ people: [ID<Person>], _ context: Context) throws -> [Portal.FoundPerson] {
    if people.isEmpty { return [] }
    return try context.write { context in
      try people.compactMap { try context.portal.people.found($0, for: .reception, in: context) }
    }
  }

  /// Returns who acts for each of the people whose name and birth date another one has, too.
  static func guardians(
    of people: [Portal.FoundPerson], _ context: Context
  ) throws -> [ID<Person>: [String]] {
    let same = Dictionary(grouping: people) { [$0.name, $0.birthDate?.description ?? ""] }
      .values.filter { $0.count > 1 }.joined().map(\.person)
    if same.isEmpty { return [:] }
    return try context.write { context in
      Dictionary(
        uniqueKeysWithValues: try same.map {
          ($0, try context.portal.people.guardians(ofFound: $0, for: .reception, in: context))
        })
    }
  }

  /// Searches, and leads to the page with the people found.
  ///
  /// The search reads the name of every person, so it runs outside the write transaction. That only
  /// adds the entries to the access logs, even if the receptionist's browser does not follow to the
  /// page.
  private static func run(_ context: Context) throws -> Response {
    let sent = context.request.fields
    let typed = sent["q"]
    var query = sent.beforePatient
    if typed.isEmpty {
      if !query.pairs.isEmpty { query.append("search", "1") }
      return .redirect(to: ReceptionBooking.path.query(query))
    }
    let directory = context.portal.people
    var found = try directory.search(typed, for: .reception, in: context)
    if found.people.isEmpty {
      found = try directory.searchSimilar(to: typed, for: .reception, in: context)
      if !found.people.isEmpty { query.append("similar", "1") }
    }
    let people = try told(found.people, context).map(\.person.description)
    query.append("found", try SealedSearchValue.found.seal(people.joined(separator: ","), context))
    if found.isCut { query.append("more", "1") }
    query.append("words", try SealedSearchValue.words.seal(typed, context))
    return .redirect(to: ReceptionBooking.path.query(query))
  }
}

/// The reception's search for the patient who calls or stands at the reception.
struct PatientSearchPage {
  /// The search, and the people whom it has found; nil before it.
  private let found: (search: PatientSearch, people: [Portal.FoundPerson])?
  /// The names of those who act for the ones with the same name and birth date.
  private let guardians: [ID<Person>: [String]]
  /// The doctor and the time, or the waiting list, if they are chosen before the patient.
  private let chosen: Fields
  /// The summary of the doctor and the time, if both are chosen, or of the waiting list.
  private let summary: HTML?
  private let context: Context

  /// Loads what the query names.
  init(_ attempt: BookingAttempt) throws {
    context = attempt.context
    let query = context.request.query
    let search = try PatientSearch(query, context)
    let list = try WalkInList.find(in: query, context)
    chosen = query.beforePatient
    let people = try PatientSearch.told(search?.people ?? [], attempt.context)
    found = search.map { ($0, people) }
    guardians = try PatientSearch.guardians(of: people, attempt.context)
    summary = try chosen["time"].isEmpty ? list?.heading : attempt.summaryForStaff
  }

  var page: Page {
    get throws {
      let form = Self.form(saying: found?.search.typed ?? "", keeping: chosen, context)
      return Page(
        chosen["list"].isEmpty ? "reception.book" : "reception.line.add",
        "\(summary)\(form)\(try found.map { try results(of: $0.search, $0.people) } ?? others)",
        back: context.times(at: ReceptionBooking.path) ?? ReceptionDay.path)
    }
  }

  /// Returns the search field, also for the reception's day, where `hint` is shorter.
  static func form(
    saying typed: String = "", keeping chosen: Fields = Fields(), _ context: Context,
    hint: Text = "reception.search.hint"
  ) -> HTML {
    let hidden: HTML = """
      \(context.hiddenFields())\(each: chosen.pairs, { pair in
        "<input type=\"hidden\" name=\"\(pair.name)\" value=\"\(pair.value)\">"
      })
      """
    return context.searchForm(
      at: PatientSearch.address.path, "reception.search", words: typed,
      submit: "reception.search.submit", hint: hint, posting: hidden)
  }

  private func results(of search: PatientSearch, _ people: [Portal.FoundPerson]) throws -> HTML {
    if people.isEmpty {
      return context.emptyState(
        .glass, "reception.search.nobody", hint: "reception.search.nobody.hint", actions: new)
    }
    func warning(_ text: Text, if applies: Bool) -> HTML? {
      applies ? context.notice(.remark, text, as: .warning) : nil
    }
    let count = search.isCut ? "reception.search.first" : "reception.search.count"
    return """
      \(warning("reception.search.similar", if: search.isSimilar))\
      \(context.resultCount(Text(count, count: people.count)))\
      \(warning("reception.search.more", if: search.isCut))\
      \(warning("reception.search.same", if: !guardians.isEmpty))\
      \(rows: try people.map {
        try $0.row(keeping: chosen, guardians: guardians[$0.person] ?? [], context)
      })\(actions: new)
      """
  }

  private var new: HTML {
    guard let list = ID<Doctor>(chosen["list"]) else {
      return context.button(
        "reception.new", to: NewPatientBooking.path.query(chosen), style: .secondary)
    }
    return context.button("reception.line.new", to: NewWalkIn.path(list), style: .secondary)
  }

  /// The other ways to book before the search: the doctors of the reception, or the links to book
  /// the chosen time for a new patient or for oneself.
  private var others: HTML {
    get throws {
      if chosen.pairs.isEmpty {
        let doctors = try ReceptionDoctors(base: ReceptionBooking.path, context: context).rows
        return doctors.map {
          "<h2>\(context.text("reception.search.doctor-first"))</h2>\($0)"
        } ?? HTML()
      }
      if chosen["time"].isEmpty { return HTML() }
      let own = BookingForm.forMyself(chosen)
      return "\(actions: new, context.button("reception.for-myself", to: own, style: .plain))"
    }
  }
}

extension Portal.FoundPerson {
  /// Returns the row that goes on with this patient: with the booking, with the doctor and the time
  /// kept, or with the chosen waiting list. `guardians` are named beside a name that is not the only
  /// one.
  func row(
    keeping chosen: Fields, guardians: [String], _ context: Context
  ) throws -> HTML {
    let patient = try SealedSearchValue.query(of: person, context)
    let path =
      ID<Doctor>(chosen["list"]).map { WalkIn.path($0).query(patient) }
      ?? ReceptionBooking.path.query(chosen).query(patient)
    let named: HTML? =
      guardians.isEmpty
      ? nil
      : """
      <span class="secondary-text">\(context.text(
        "reception.search.guardians", ["names": guardians.joined(separator: ", ")]))</span>
      """
    return .row(to: path, "<bdi>\(name)</bdi>\(named)", detail: detail(context))
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
    <a class="change" href="\(ReceptionBooking.path)">\(context.text("reception.search.another"))</a></p>
    """
  }
}
