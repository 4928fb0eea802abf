import PolyclinicCore

/// The access to a patient's data, for staff: those who act for a child, and the reception's pages
/// that make a link for the patient or a parent.
struct PatientAccess {
  private let guardians: [Portal.Guardian]
  private let links: [Portal.ReceptionLink]

  /// Reads it for the person of the work, in a write transaction. Only the reception has links,
  /// which lead back to `origin`.
  static func find(
    for reason: AccessReason, from origin: Path, in work: Work, _ context: Context
  ) throws -> PatientAccess {
    let people = context.portal.people
    return PatientAccess(
      guardians: try people.guardians(for: reason, in: work),
      links: reason == .reception ? try people.receptionLinks(from: origin, in: work) : [])
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
  /// began; nil if there are none.
  func names(_ context: Context) -> HTML? {
    if guardians.isEmpty { return nil }
    let lines = guardians.map { guardian -> String in
      context.text(
        "reception.guardian",
        [
          "name": guardian.name,
          "date": context.formats.date(context.formats.day(of: guardian.since)),
        ])
    }
    return lines.dropFirst().reduce("<bdi>\(lines[0])</bdi>") { "\($0)\n<bdi>\($1)</bdi>" }
  }

  /// The buttons that open the pages which make a link.
  func buttons(_ context: Context, style: HTML.ButtonStyle) -> [HTML] {
    links.map { context.button($0.label, to: $0.path, style: style) }
  }
}
