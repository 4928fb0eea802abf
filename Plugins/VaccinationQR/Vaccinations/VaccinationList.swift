import PolyclinicCore

/// The list of the vaccinations that a person keeps, those of each one together, the latest first.
struct VaccinationList: RoutedPage {
  static let address: Address<Void> = "/vaccination-qr/record"
  static let linkTitle: Text? = "record.title"

  private let found: SealedIndex<Vaccination.Entry>.Slice
  private let overdue: Set<ID<Vaccination>>
  /// The notice of a deletion a moment ago, with an undo button.
  private let notice: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    var overdue = OverdueVaccinations(before: context.today)
    found = try Vaccination.index.page(context.request.query.page, in: context) { entry in
      overdue.take(entry)
      return true
    }
    self.overdue = Set(overdue.entries.map(\.id))
    notice = try Vaccination.records.undoNotice(context)
  }

  var page: Page {
    let button = context.button("record.new", to: NewVaccination.path)
    let list: HTML =
      found.isEmpty
      ? context.emptyState(
        .document, "record.empty", hint: "record.empty.hint", ghosts: 2, actions: button)
      : """
      \(groups)\
      \(context.pageLinks(found.pagination) { Self.path.query(["page": String($0)]) })
      """
    return Page(
      "record.title", "\(notice)\(list)", back: CertificateList.path,
      actions: found.isEmpty ? nil : button)
  }

  /// The vaccinations of each person, the owner first and the others by name, under their names if
  /// there are several people.
  private var groups: HTML {
    let groups = Dictionary(grouping: found.entries, by: \.label)
      .sorted { SearchText($0.key) < SearchText($1.key) }
    let lists = groups.map { label, entries -> HTML in
      let name = label.isEmpty ? context.text("record.own") : label
      let heading: HTML? =
        groups.count > 1 ? "<h2 class=\"day\"><bdi>\(name)</bdi></h2>" : nil
      return """
        \(heading)\(rows: entries, { Self.row($0, isOverdue: overdue.contains($0.id), context) })
        """
    }
    return "\(lists)"
  }

  private static func row(
    _ entry: Vaccination.Entry, isOverdue: Bool, lead: Icon? = nil, _ context: Context
  ) -> HTML {
    let date: HTML? = entry.date.map { "\(context.formats.date($0))" }
    let label: HTML? = entry.label.isEmpty ? nil : " · <bdi>\(entry.label)</bdi>"
    let due: HTML? = entry.nextDue.map {
      " · \(context.text("record.due", ["date": context.formats.date($0)]))"
    }
    let overdue: HTML? = isOverdue ? " \(context.badge("record.overdue", .danger))" : nil
    return .row(
      to: VaccinationPage.path(entry.id), "<bdi>\(entry.vaccine)</bdi>",
      detail: "\(date)\(label)\(due)\(overdue)", lead: lead.map(context.icon),
      kind: Icon.Kind("vaccination", .qr))
  }

  /// The most vaccinations that the home page names.
  private static let mostNamed = 3

  /// Appends the overdue vaccinations to what is due today, and returns no card of their own.
  static func overdueCard(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let overdue = try OverdueVaccinations(context).entries
    due += overdue.prefix(mostNamed).map { row($0, isOverdue: true, lead: .document, context) }
    return nil
  }
}

/// The vaccinations whose next one is overdue, the latest first. Only the latest of a person with
/// the same vaccine counts, because each follows the one before it.
struct OverdueVaccinations {
  private(set) var entries: [Vaccination.Entry] = []
  private var found: Set<[String]> = []
  private let today: CalendarDate

  /// Creates none, before the first entry is taken.
  init(before today: CalendarDate) { self.today = today }

  init(_ context: Context) throws {
    today = context.today
    try Vaccination.index.forEach(in: context) { take($0) }
  }

  /// Takes the next entry of the index, which begins with the latest one.
  mutating func take(_ entry: Vaccination.Entry) {
    let isLatest = found.insert([entry.vaccine, entry.label]).inserted
    if isLatest, entry.record.isDue(before: today) { entries.append(entry) }
  }
}
