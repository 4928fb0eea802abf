import PolyclinicCore

/// The page of a person's appointments, upcoming or completed.
struct AppointmentList: RoutedPage {
  static let address: Address<Void> = "/appointments"

  private let part: Agenda.Part
  private let pagination: Page.Pagination
  private let rows: [HTML]
  /// The notice of a deletion a moment ago, with an undo button.
  private let notice: HTML?
  /// True if the person waits for an earlier time of a doctor.
  private let hasAlerts: Bool
  /// True unless the visitor acts for somebody else.
  private let isOwn: Bool
  /// The people for whom the visitor acts, whose appointments have pages of their own.
  private let others: [Portal.PatientChoice]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let query = context.request.query
    let part = Agenda.Part(rawValue: query["show"]) ?? .upcoming
    let agenda = try Agenda(part, page: query.page, in: context)
    self.part = part
    pagination = agenda.pagination
    let next = part == .upcoming && query.page <= 1 ? agenda.entries.first?.id : nil
    rows = try agenda.entries.map { try $0.dated(in: part, isNext: $0.id == next, context) }
    notice =
      context.mayChangeRecords ? try PersonalAppointment.records.undoNotice(context) : nil
    isOwn = try context.keys.person == context.signedIn().person
    others = isOwn ? try context.patients().filter { !$0.isCurrent } : []
    hasAlerts = try !EarlierTimeAlert.doctors(of: context.keys.person, in: context).isEmpty
  }

  /// Returns the path of a part of the list.
  static func show(_ part: Agenda.Part) -> Path { path.query(["show": part.rawValue]) }

  var page: Page {
    let isEmpty = pagination.total == 0
    let alerts: HTML? =
      hasAlerts
      ? "<p><a href=\"\(EarlierTimeAlertList.path)\">\(context.text("alerts.link"))</a></p>" : nil
    let parts = context.tabs(
      "agenda.parts", Agenda.Part.allCases, current: part, title: \.title, to: Self.show)
    return Page(
      "appointments.title",
      """
      \(notice)\(parts)\(isEmpty ? empty : list)\(alerts)\(isOwn ? feed : nil)\(ofOthers)
      """, actions: isEmpty && part == .upcoming ? nil : "\(actions: ways)", width: .wide)
  }

  /// The way to a calendar's address, which nobody makes for a person in care.
  private var feed: HTML {
    "<p><a href=\"\(CalendarFeedPage.path)\">\(context.text("calendar.follow"))</a></p>"
  }

  /// The links to the appointments of the people for whom the visitor acts; nil if there are none.
  private var ofOthers: HTML? {
    others.isEmpty ? nil : others.panel("agenda.others", to: Self.show(part), context)
  }

  private var ways: [HTML?] {
    [
      context.button("agenda.book", to: NewAppointment.withDoctor),
      context.mayChangeRecords
        ? context.button("agenda.personal", to: NewAppointment.personal, style: .secondary) : nil,
    ]
  }

  private var empty: HTML {
    switch part {
    case .upcoming:
      context.emptyState(
        .calendar, "agenda.empty", hint: "agenda.empty.hint", content: "\(actions: ways)",
        ghosts: 2)
    case .completed:
      context.emptyState(
        .calendar, "agenda.empty.completed", hint: "agenda.empty.completed.hint")
    }
  }

  private var list: HTML {
    """
    \(context.resultCount(Text("agenda.count", count: pagination.total)))\(rows: rows)\
    \(context.pageLinks(pagination) { Self.show(part).query(["page": String($0)]) })
    """
  }
}
