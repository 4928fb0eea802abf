import PolyclinicCore

/// The access to a patient's data, for staff: those who act for a child, the reception's pages that
/// make a link for the patient or a parent, and the links that nobody has used yet.
struct PatientAccess {
  private let reason: AccessReason
  private let guardians: [Portal.Guardian]
  private let links: [Portal.ReceptionLink]
  private let unused: [Portal.UnusedLink]

  /// Reads it for the person of the work, in a write transaction. Only the reception has links,
  /// which lead back to `origin`.
  static func find(
    for reason: AccessReason, from origin: Path, in work: Work, _ context: Context
  ) throws -> PatientAccess {
    let people = context.portal.people
    let isReception = reason == .reception
    return PatientAccess(
      reason: reason, guardians: try people.guardians(for: reason, from: origin, in: work),
      links: isReception ? try people.receptionLinks(from: origin, in: work) : [],
      unused: isReception ? try people.unusedLinks(from: origin, in: work) : [])
  }

  /// The access to the file of a patient whom the reception has found; nil for a patient without an
  /// appointment at the visitor's reception.
  static func find(of patient: ID<Person>, _ context: Context) throws -> PatientAccess? {
    let file = ReceptionBooking.path.query(try SealedSearchValue.query(of: patient, context))
    return try context.write { context in
      do {
        let works = try context.of([patient], for: .reception, reading: "log.viewed.file")
        return try works[patient].map { try find(for: .reception, from: file, in: $0, context) }
      } catch Refusal.forbidden { return nil }
    }
  }

  /// The names of those who act for the child, each on a line of its own, with the day on which they
  /// began; nil if there are none. The reception also reads whose access it cannot end.
  func names(_ context: Context) -> HTML? {
    Self.lines(
      guardians.filter { !$0.isBlocked }.map { guardian in
        let date = context.formats.date(context.formats.day(of: guardian.since))
        let isForOthers = reason == .reception && guardian.ending == nil
        return context.text(
          isForOthers ? "reception.guardian.administrator" : "reception.guardian",
          ["name": guardian.name, "date": date])
      })
  }

  /// The buttons with which the reception ends what its own links gave; nil if there are none.
  func endings(_ context: Context) -> HTML? {
    let pages = guardians.compactMap(\.ending)
    if pages.isEmpty { return nil }
    return """
      \(actions: pages.map {
        context.button($0.label, to: $0.path, style: [.plain, .danger, .small])
      })
      """
  }

  /// Returns the sentence about a patient with an account: what they do there, and what the
  /// reception does.
  func account(of name: String, _ context: Context) -> String {
    // There is no link for an account of staff.
    let key = links.isEmpty ? "reception.account" : "reception.account.password"
    return context.text(Text(key, ["name": name]))
  }

  /// The names of those whom an administrator has blocked, so that the reception sends them no link
  /// in vain; nil if there are none.
  func blocked(_ context: Context) -> HTML? {
    Self.lines(
      guardians.filter(\.isBlocked).map {
        context.text("reception.guardian.blocked", ["name": $0.name])
      })
  }

  private static func lines(_ lines: [String]) -> HTML? {
    guard let first = lines.first else { return nil }
    return lines.dropFirst().reduce("<bdi>\(first)</bdi>") { "\($0)\n<bdi>\($1)</bdi>" }
  }

  /// The links that nobody has used yet, each with the button that cancels it; nil if there are
  /// none.
  func unused(_ context: Context) -> HTML? {
    unused.isEmpty ? nil : "\(rows: unused, { HTML.row(content: context.content(of: $0)) })"
  }

  /// The buttons that open the pages which make a link.
  func buttons(_ context: Context, style: HTML.ButtonStyle) -> [HTML] {
    links.map { context.button($0.label, to: $0.path, style: style) }
  }
}
