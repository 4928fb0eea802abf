import PolyclinicCore

/// The page of one vaccination.
struct VaccinationPage: RoutedPage {
  static let address: Address<ID<Vaccination>> = "/vaccination-qr/record/{id}"
  static let edit: Address<ID<Vaccination>> = "/vaccination-qr/record/{id}/edit"
  static let deletion: Address<ID<Vaccination>> = "/vaccination-qr/record/{id}/delete"
  static let dismissal: Address<ID<Vaccination>> = "/vaccination-qr/record/{id}/last"
  static let next: Address<ID<Vaccination>> = "/vaccination-qr/record/{id}/next"
  static let linkTitle: Text? = "record.one"

  private let id: ID<Vaccination>
  private let vaccination: Vaccination
  private let isOverdue: Bool
  private let proposal: NextDoseProposal?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let id: ID<Vaccination> = try context.id()
    self.id = id
    vaccination = try Vaccination.records.load(context)
    let next = try NextVaccinations(context).of(id)
    isOverdue = next?.isOverdue(on: context.today) ?? false
    proposal = next?.proposal
  }

  var page: Page {
    Page(
      "record.one",
      """
      <div class="title"><h1><bdi>\(vaccination.vaccine)</bdi></h1></div>\
      \(proposed)\(context.facts(facts.map { HTML.Fact($0, $1) }))\
      \(actions:
        context.button("record.change", to: Self.edit.path(id)),
        context.button("record.delete", to: Self.deletion.path(id), style: [.danger, .secondary]))
      """, back: VaccinationList.path, hasOwnHeading: true)
  }

  private var facts: [(Text, HTML?)] {
    [
      ("field.person", typed(vaccination.label)), ("field.disease", typed(vaccination.disease)),
      ("field.date", day(vaccination.date)), ("field.dose", vaccination.dose.map { "\($0)" }),
      ("field.batch", typed(vaccination.batch)), ("field.given_by", typed(vaccination.givenBy)),
      ("field.next_due", nextDue ?? last), ("field.remind", reminder),
    ]
  }

  private var proposed: HTML? {
    proposal.map { proposal in
      let text = Text(
        "record.proposal",
        ["date": context.formats.date(proposal.day), "source": proposal.source.rawValue])
      return context.notice(
        .remark, text,
        action: """
          \(context.button(
            "record.proposal.take", posts: Self.next.path(id), style: [.secondary, .small]))\
          \(context.button(
            "record.proposal.dismiss", posts: Self.dismissal.path(id), style: [.plain, .small]))
          """)
    }
  }

  private var nextDue: HTML? {
    let badge: HTML? = isOverdue ? " \(context.badge("record.overdue", .danger))" : nil
    return day(vaccination.nextDue).map { "\($0)\(badge)" }
  }

  private var last: HTML? { vaccination.isLast ? "\(context.text("field.last"))" : nil }

  /// The requested reminder; nil after the due date, when no reminder before it can come any more.
  private var reminder: HTML? {
    vaccination.isReminded && !vaccination.isDue(before: context.today)
      ? "\(context.text("record.reminded"))" : nil
  }

  private func typed(_ text: String) -> HTML? { text.isEmpty ? nil : "<bdi>\(text)</bdi>" }

  private func day(_ date: CalendarDate?) -> HTML? { date.map { "\(context.formats.date($0))" } }
}

/// The form for a new vaccination, empty or filled in from the code of a certificate.
struct NewVaccination: RoutedForm {
  static let address: Address<Void> = "/vaccination-qr/record/new"
  static let title: Text = "record.new"
  static let form = Vaccination.form
  static let cancel = VaccinationList.path

  let start: Vaccination

  init(_ context: Context) throws {
    let query = context.request.query
    guard let id = ID<Certificate>(query["certificate"]), let number = Int(query["number"]),
      (1...100).contains(number)
    else {
      start = Vaccination()
      return
    }
    let payload = try CertificateFile.payload(number).bytes(of: id, in: context)
    start = Vaccination(Code(payload)) ?? Vaccination()
  }

  func save(_ vaccination: Vaccination, in context: Context) throws -> Redirect {
    Redirect(to: VaccinationPage.path(try Vaccination.records.insert(vaccination, in: context)))
  }
}
