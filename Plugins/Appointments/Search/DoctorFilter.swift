import PolyclinicCore

/// A filter for the list of doctors, and its order.
struct DoctorFilter: Sendable {
  /// The search words as they were typed; empty for any.
  var words: String
  /// True if only doctors who are free now match.
  var onlyAvailable: Bool
  var specialization: Specialization?
  var clinic: ID<Clinic>?
  /// The days on which the doctors have a free time; nil for any.
  var day: DayChoice?
  /// The ISO 639 code of a language that the doctors speak; nil for any.
  var language: String?
  /// True if only doctors who see children match.
  var onlyForChildren: Bool
  /// The town from which the distances are measured; empty for the visitor's home town.
  var near = ""
  /// The order that the visitor has chosen; nil for the usual one.
  private var chosenOrder: Order?
  /// The searched words: without a title, and without those that name a day or a language.
  var query: SearchText.Query
  /// The folded words of the search that name the day.
  private var dayWords: Set<[UInt8]> = []
  /// The folded words of the search that name the language.
  private var languageWords: Set<[UInt8]> = []
  /// The folded words of the search that say only that something hurts.
  private(set) var painWords: Set<[UInt8]> = []
  /// True if the words say nothing else, so that general practice was chosen for them.
  private var isUnspecific = false

  /// The order of the list.
  enum Order: String, CaseIterable, Sendable { case name, next }

  /// True if all doctors match.
  var isEmpty: Bool { words.isEmpty && !onlyAvailable && !isFiltered }

  /// True if a filter besides the words and ``onlyAvailable`` is set.
  private var isFiltered: Bool {
    specialization != nil || clinic != nil || day != nil || language != nil || onlyForChildren
  }

  /// Returns the order of a list, by default the next free time first. The whole list of a large
  /// portal is by surname, because the free times of all doctors cost more than the list.
  func order(of count: Int) -> Order {
    chosenOrder ?? (isEmpty && count > FoundDoctors.mostSortedUnasked ? .name : .next)
  }

  /// Reads a query. Ignores invalid values.
  init(_ sent: Fields) {
    query = SearchText.Query(Self.withoutTitle(sent["q"]))
    words = query.isEmpty ? "" : sent["q"]
    onlyAvailable = sent["available"] == "1"
    specialization = Specialization(rawValue: sent["specialization"])
    clinic = ID(sent["clinic"])
    day = DayChoice(sent["on"]) ?? DayChoice(sent["day"])
    language = SpokenLanguage.codes.first { $0 == sent["language"] }
    onlyForChildren = sent["children"] == "1"
    near = String(sent["near"].prefix(Self.longestTown))
    chosenOrder = Order(rawValue: sent["sort"])
  }

  /// Returns the words after a title such as “Dr.”, which no stored name has.
  private static func withoutTitle(_ typed: String) -> String {
    // A bounded part, because lowercasing takes time.
    let beginning = String(typed.prefix(longestTitle)).lowercased()
    guard let title = titles.first(where: { beginning.hasPrefix($0 + " ") }) else { return typed }
    return String(typed.dropFirst(title.count + 1))
  }

  private static let titles = [
    "dr", "dr.", "doctor", "prof", "prof.", "professor", "врач", "доктор", "д-р", "профессор",
    "ד\"ר", "ד״ר", "דר",
    "דר'", "דוקטור", "פרופ'", "פרופ׳", "פרופסור",
  ]
  private static let longestTitle = 12
  fileprivate static let longestTown = 100

  /// The filter without the condition that doctors are free now.
  var withoutAvailability: DoctorFilter {
    var filter = self
    filter.onlyAvailable = false
    return filter
  }

  /// Returns the address of a page of the filtered list.
  func path(page: Int) -> Path {
    var fields = fields
    fields.append("page", String(page))
    return DoctorList.path.query(fields)
  }

  /// The filter as a query.
  var fields: Fields {
    var fields = Fields()
    if !words.isEmpty { fields.append("q", SearchText.Query.read(words)) }
    if onlyAvailable { fields.append("available", "1") }
    if let specialization, !isUnspecific {
      fields.append("specialization", specialization.rawValue)
    }
    if let clinic { fields.append("clinic", clinic.description) }
    if let day, dayWords.isEmpty {
      if case .date = day {
        fields.append("on", day.value)
      } else {
        fields.append("day", day.value)
      }
    }
    if let language, languageWords.isEmpty { fields.append("language", language) }
    if onlyForChildren { fields.append("children", "1") }
    if !near.isEmpty { fields.append("near", near) }
    if let chosenOrder { fields.append("sort", chosenOrder.rawValue) }
    return fields
  }

  /// Returns the part of a query that leads back to a list; empty for the whole list.
  static func wayBack(in query: Fields) -> Fields {
    DoctorFilter(query).fields.wayBack(from: query.page)
  }

  /// Returns the list that the query of a doctor's page names, and the words of the link to it; nil
  /// for “Back”.
  static func list(in query: Fields, _ context: Context) throws -> (path: Path, label: Text?) {
    var filter = DoctorFilter(query)
    let path = DoctorList.path.query(wayBack(in: query))
    if filter.isEmpty { return (path, nil) }
    let listed = try ListedDoctor.all(for: filter, at: OpenClinics(in: context), context)
    filter.understandWords(among: listed, context)
    // The number would need the free times of all doctors found.
    if filter.day != nil { return (path, nil) }
    let found = try listed.found(by: filter, context).doctors
    return (path, found.isEmpty ? nil : Text("doctors.back", count: found.count))
  }
}

/// Days, languages and pain among the typed words.
extension DoctorFilter {
  /// Takes the words that name a day or a language as filters, so that “children's doctor on
  /// Saturday who speaks Russian” is found. A word in the name of a doctor stays a word. Words for
  /// pain are left out, and lead to general practice if no others are left.
  mutating func understandWords(among listed: [ListedDoctor], _ context: Context) {
    if query.isEmpty { return }
    let pains = context.portal.painWords.intersection(query.words)
    if !pains.isEmpty, !listed.haveName(withAny: pains) {
      painWords = pains
      query = query.leavingOut(pains)
    }
    understandDayAndLanguage(among: listed, context)
    if painWords.isEmpty { return }
    query =
      query.namesNothing(context.portal)
      ? SearchText.Query("") : query.withoutFillers(context.portal) ?? query
    if query.isEmpty && specialization == nil {
      (specialization, isUnspecific) = (.generalPractice, true)
    }
  }

  private mutating func understandDayAndLanguage(
    among listed: [ListedDoctor], _ context: Context
  ) {
    let found = Self.namedDay(in: query.words, context)
    if let found, !listed.haveName(withAny: found.words) {
      if day == nil { (day, dayWords) = (found.choice, found.words) }
      leaveOut(found.words, context)
    }
    let spoken = Set(listed.flatMap { $0.profile.languages.map(\.code) })
    let further = SpokenLanguage.furtherWords(context.portal)
    for code in spoken.sorted() {
      let names = Set(
        Language.allCases.flatMap { name in
          SearchText.Query(SpokenLanguage(code: code).name(in: name)).words
        } + (further[code] ?? []))
      let named = names.intersection(query.words)
      if named.isEmpty || listed.haveName(withAny: named) { continue }
      if language == nil { (language, languageWords) = (code, named) }
      if language == code { leaveOut(named, context) }
    }
  }

  /// Removes words from the query, and the words without a meaning if no others are left.
  private mutating func leaveOut(_ left: Set<[UInt8]>, _ context: Context) {
    query = query.leavingOut(left)
    if query.namesNothing(context.portal) { query = SearchText.Query("") }
  }

  /// The filter without the words that were not understood; nil if none was.
  var withUnderstoodWordsAlone: DoctorFilter? {
    if dayWords.isEmpty && languageWords.isEmpty { return nil }
    var filter = self
    filter.query = SearchText.Query("")
    return filter
  }

  /// True for words such as “back pain”, which name no child.
  func namesNoChild(_ portal: Portal) -> Bool {
    let children = SearchText(Clinic.childrenWords(portal))
    return !query.isEmpty && !query.words.contains(where: children.hasWord)
  }

  /// Returns the first day that the words name in any language, with those words.
  private static func namedDay(
    in words: [[UInt8]], _ context: Context
  ) -> (choice: DayChoice, words: Set<[UInt8]>)? {
    for choice in DayChoice.all {
      for language in Language.allCases {
        let phrases = context.portal.string(
          Text("find.day.words.\(choice.value)"), in: language)
        for phrase in phrases.split(separator: ",") {
          let named = SearchText.Query(String(phrase)).words
          if !named.isEmpty, words.indices.contains(where: { words[$0...].starts(with: named) }) {
            return (choice, Set(named))
          }
        }
      }
    }
    return nil
  }
}

/// The set filters.
extension DoctorFilter {
  /// The number of set filters in the form: those that are not among the words.
  var count: Int {
    let isSet = [
      specialization != nil && !isUnspecific, clinic != nil, day != nil && dayWords.isEmpty,
      language != nil && languageWords.isEmpty, onlyForChildren, onlyAvailable,
      !near.isEmpty,
    ]
    return isSet.count { $0 }
  }

  /// Returns the names of the set filters, each with the list without it.
  func chosen(at clinics: [Clinic], _ context: Context) -> [(name: String, without: Path)] {
    var chosen: [(String, Path)] = []
    func add(_ name: String, _ remove: (inout DoctorFilter) -> Void) {
      var filter = self
      remove(&filter)
      chosen.append((name, DoctorList.path.query(filter.fields)))
    }
    if let specialization {
      add(context.text(specialization.title)) { filter in
        filter.specialization = nil
        if isUnspecific { filter.forget(painWords, context.portal) }
      }
    }
    if let clinic {
      let known = clinics.first { $0.id == clinic }
      add(known?.name.string(in: context.language) ?? context.text("doctors.clinic")) {
        $0.clinic = nil
      }
    }
    if let day {
      add(day.title(context)) { filter in
        filter.day = nil
        filter.forget(dayWords, context.portal)
      }
    }
    if let language {
      add(SpokenLanguage(code: language).name(in: context.language)) { filter in
        filter.language = nil
        filter.forget(languageWords, context.portal)
      }
    }
    if onlyForChildren { add(context.text("find.children")) { $0.onlyForChildren = false } }
    if onlyAvailable { add(context.text("doctors.available")) { $0.onlyAvailable = false } }
    if !near.isEmpty { add(context.text("find.near.from", ["place": near])) { $0.near = "" } }
    return chosen
  }

  /// Removes words from the typed ones, and all others unless they name something.
  private mutating func forget(_ left: Set<[UInt8]>, _ portal: Portal) {
    if left.isEmpty { return }
    let rest = SearchText.Query(words).leavingOut(left)
    let isPain = isUnspecific && left != painWords
    words = rest.namesNothing(portal) && !isPain ? "" : rest.text
  }

  /// Returns the filter on any day.
  func onAnyDay(_ portal: Portal) -> DoctorFilter {
    var filter = self
    filter.day = nil
    filter.forget(dayWords, portal)
    return filter
  }
}

extension DayChoice {
  /// Returns the name, such as “Today”, “Saturday” or “5 December 2026”.
  func title(_ context: Context) -> String {
    switch self {
    case .today: context.text("find.today")
    case .tomorrow: context.text("find.tomorrow")
    case .week: context.text("find.day.week")
    case .weekend: context.text("find.day.weekend")
    case .weekday(let weekday): context.text(weekday.title)
    case .date(let date): context.formats.date(date)
    }
  }
}

extension [ListedDoctor] {
  /// True if one of the words is in the name of a doctor.
  fileprivate func haveName(withAny words: Set<[UInt8]>) -> Bool {
    contains { listed in
      let name = SearchText.Query(listed.name).words
      return name.contains(where: words.contains)
    }
  }
}

/// The search form of the list of doctors.
struct DoctorFilterForm {
  let found: FoundDoctors
  let context: Context

  private var filter: DoctorFilter { found.filter }

  var html: HTML {
    let form = FilterForm(
      path: DoctorList.path, label: "find.label", words: filter.words, count: filter.count,
      show: "find.show-doctors", hint: "find.hint", context: context)
    return form.html(
      """
      \(form.select("find.day", "day", days, chosen: filter.fields["day"]))\
      \(context.field("find.date", id: "on", date))\
      \(form.specializations(
        "doctors.specialization", any: "doctors.any", Set(found.listed.map(\.specialization)),
        chosen: Specialization(rawValue: filter.fields["specialization"])))\
      \(form.select(
        "find.language", "language", any: "find.language.any", languages,
        chosen: filter.fields["language"]))\
      \(form.select(
        "doctors.clinic", "clinic", any: "doctors.any-clinic", clinics,
        chosen: filter.clinic?.description))\
      \(context.field("find.near", id: "near", town))\
      \(context.checkBox("find.children", name: "children", isChecked: filter.onlyForChildren))\
      \(context.checkBox("find.sort.by-name", name: "sort", value: "name", isChecked: filter.isByName))\
      \(context.checkBox("doctors.available", name: "available", isChecked: filter.onlyAvailable,
        hint: "doctors.available.hint"))
      """)
  }

  /// The days to choose from. A day that the words name is not set in the form.
  private var days: [(value: String, name: String)] {
    [("", context.text("find.day.any"))]
      + DayChoice.all.map { ($0.value, $0.title(context)) }
  }

  private var date: HTML {
    "<input type=\"date\" id=\"on\" name=\"on\" value=\"\(filter.fields["on"])\">"
  }

  private var town: HTML {
    """
    <input id="near" name="near" value="\(filter.near)" maxlength="\(DoctorFilter.longestTown)"\
     autocomplete="address-level2">
    """
  }

  /// The languages that the listed doctors speak.
  private var languages: [(value: String, name: String)] {
    Set(found.listed.flatMap { $0.profile.languages.map(\.code) }).map {
      ($0, SpokenLanguage(code: $0).name(in: context.language))
    }.filter { !$0.1.isEmpty }
  }

  /// The clinics of the listed doctors.
  private var clinics: [(value: String, name: String)] {
    var names: [ID<Clinic>: String] = [:]
    for clinic in found.listed.map(\.placement.clinic) {
      names[clinic.id] = clinic.name.string(in: context.language)
    }
    return names.map { ($0.key.description, $0.value) }
  }
}

extension DoctorFilter {
  /// True if the visitor has asked for the order by surname.
  fileprivate var isByName: Bool { chosenOrder == .name }
}

extension Fields {
  /// Returns a list's query with which its links lead to a doctor or a clinic, so that the visitor
  /// comes back to the same page of the list.
  func wayBack(from page: Int) -> Fields {
    var fields = self
    if page > 1 { fields.append("page", String(page)) }
    return fields
  }
}
