import PolyclinicCore

/// The list of the vaccinations that a person keeps, those of each one together, the latest first.
struct VaccinationList: RoutedPage {
  static let address: Address<Void> = "/vaccination-qr/record"
  static let linkTitle: Text? = "record.title"

  private let found: SealedIndex<Vaccination.Entry>.Slice
  private let next: NextVaccinations
  /// The next vaccinations that are due soon, on the first page only.
  private let soon: [NextVaccinations.Next]
  /// The pages with the doctors for each of ``soon``; nil without a module for appointments.
  private let doctors: [Path?]
  /// The heading of the vaccinations of the person whose page it is.
  private let owner: String
  /// The notice of a deletion a moment ago, with an undo button.
  private let notice: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    var next = NextVaccinations()
    found = try Vaccination.index.page(context.request.query.page, in: context) { entry in
      next.take(entry)
      return true
    }
    self.next = next
    let soon = context.request.query["page"].isEmpty ? next.soon(on: context.today) : []
    self.soon = soon
    let clinic = context.portal.find((any Portal.ClinicContacts).self)
    doctors = try soon.map { next in
      let patient: Portal.Patient = try next.entry.isOfChild(context) ? .child : .any
      return clinic?.doctors(finding: context.text("record.book.words"), for: patient)
    }
    let isOwn = try context.keys.person == context.visitor?.person
    owner =
      try (isOwn ? nil : context.portal.people.name(in: context)) ?? context.text("record.own")
    notice = try Vaccination.records.undoNotice(context)
  }

  var page: Page {
    let isPressing = soon.contains { $0.isPressing(on: context.today) }
    let button = context.button(
      "record.new", to: NewVaccination.path, style: isPressing ? .secondary : [])
    let list: HTML =
      found.isEmpty
      ? context.emptyState(
        .syringe, "record.empty", hint: "record.empty.hint", ghosts: 2, actions: button)
      : """
      \(soonSection)\(groups)\
      \(context.pageLinks(found.pagination) { Self.path.query(["page": String($0)]) })
      """
    return Page(
      "record.title", "\(notice)\(list)", back: CertificateList.path,
      actions: found.isEmpty ? nil : button, assets: [.certificates])
  }

  /// The vaccinations that are due soon, each with the way to an appointment for it.
  private var soonSection: HTML? {
    if soon.isEmpty { return nil }
    return """
      <h2 class="day">\(context.text("record.soon"))</h2>\
      \(rows: zip(soon, doctors).map { row($0, bookedAt: $1) })
      """
  }

  /// Returns a vaccination that is due, with the button that books an appointment for its person.
  private func row(_ next: NextVaccinations.Next, bookedAt doctors: Path?) -> HTML {
    let entry = next.entry
    let isPressing = next.isPressing(on: context.today)
    return .row(
      "<a href=\"\(VaccinationPage.path(entry.id))\"><bdi>\(entry.vaccine)</bdi></a>",
      mark: Self.badge(next, context), detail: Self.detail(next, context),
      lead: context.icon(.syringe),
      kind: Icon.Kind(isPressing ? "due" : "vaccination", .syringe),
      actions: doctors.map { doctors in
        let names = [entry.vaccine, entry.label].filter { !$0.isEmpty }
        return context.button(
          "record.book", to: doctors, style: isPressing ? [] : .secondary,
          of: names.joined(separator: ", "))
      })
  }

  /// The vaccinations of each person, the owner first and the others by name, under their names if
  /// there are several people.
  private var groups: HTML {
    let groups = Dictionary(grouping: found.entries, by: \.label)
      .sorted { SearchText($0.key) < SearchText($1.key) }
    let lists = groups.map { label, entries -> HTML in
      let name = label.isEmpty ? owner : label
      let heading: HTML? =
        groups.count > 1 || !soon.isEmpty ? "<h2 class=\"day\"><bdi>\(name)</bdi></h2>" : nil
      return "\(heading)\(rows: entries.map { row($0) }, style: " dated")"
    }
    return "\(lists)"
  }

  /// Returns a vaccination with its date and the next one.
  private func row(_ entry: Vaccination.Entry) -> HTML {
    let next = next.of(entry.id)
    let date: HTML? = entry.date.map {
      "<span class=\"secondary-text date\">\(context.formats.date($0))</span>"
    }
    let due: HTML? = next.map { next in
      let overdue: HTML? =
        next.isOverdue(on: context.today)
        ? " \(context.badge("record.overdue", .danger))" : nil
      return "<span class=\"secondary-text\">\(Self.dueDate(next, context))\(overdue)</span>"
    }
    return .row(
      to: VaccinationPage.path(entry.id),
      content: "<strong><bdi>\(entry.vaccine)</bdi></strong>\(date)\(due)")
  }

  /// Returns a vaccination that is due, with the person, the day and how soon that is.
  private static func row(
    _ next: NextVaccinations.Next, lead: Icon? = nil, _ context: Context
  ) -> HTML {
    .row(
      to: VaccinationPage.path(next.entry.id), "<bdi>\(next.entry.vaccine)</bdi>",
      detail: "\(detail(next, context)) \(badge(next, context))", lead: lead.map(context.icon),
      kind: Icon.Kind("vaccination", .syringe))
  }

  /// Returns the person, unless it is the account's owner, and the day of a vaccination.
  private static func detail(_ next: NextVaccinations.Next, _ context: Context) -> HTML {
    let label: HTML? = next.entry.label.isEmpty ? nil : "<bdi>\(next.entry.label)</bdi> · "
    return "\(label)\(dueDate(next, context))"
  }

  private static func dueDate(_ next: NextVaccinations.Next, _ context: Context) -> String {
    let words: Text = next.proposal == nil ? "record.due" : "record.usual"
    return context.text(words, ["date": context.formats.date(next.day)])
  }

  /// Returns the badge that says in how many days a vaccination is due; nil for a usual date that
  /// has passed.
  private static func badge(_ next: NextVaccinations.Next, _ context: Context) -> HTML? {
    if next.isOverdue(on: context.today) { return context.badge("record.overdue", .danger) }
    let days = next.day.daysSince1970 - context.today.daysSince1970
    if days < 0 { return nil }
    return context.badge(
      days == 0 ? "record.today" : Text("record.in", count: days), .waiting)
  }

  /// The most vaccinations that the home page names.
  private static let mostNamed = 3

  /// Appends the vaccinations whose date has come to what is due today, and returns a card with those
  /// that are due soon; nil if there are none.
  static func card(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let soon = try NextVaccinations(context)
      .soon(on: context.today, within: NextVaccinations.pressingReach)
    let today = context.today
    let (pressing, ahead) = (
      soon.filter { $0.isDue(on: today) }, soon.filter { $0.day >= today && !$0.isDue(on: today) }
    )
    due += pressing.prefix(mostNamed).map { row($0, lead: .syringe, context) }
    if ahead.isEmpty { return nil }
    return "\(rows: ahead.prefix(mostNamed).map { row($0, context) })"
  }
}
