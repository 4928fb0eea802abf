import PolyclinicCore

/// The card of the clinic that a person has chosen, or else visits.
struct MyClinicCard {
  private let clinic: Clinic
  private let departments: [Department]
  private let context: Context

  /// Returns the card of the person's chosen clinic, or else that of the next or the last visit, or
  /// else with the ways to choose one.
  static func card(_ context: Context) throws -> HTML? {
    let person = try context.keys.person
    guard let clinic = try Clinic.own(of: person, in: context) else {
      let isOwn = context.visitor?.isStaff == false && context.visitor?.inCare == nil
      return isOwn ? choiceLinks(context) : nil
    }
    let departments = try Department.open(of: clinic.id, in: context)
    return MyClinicCard(clinic: clinic, departments: departments, context: context).html
  }

  /// Returns the heading of the card: a clinic that nobody has chosen is not called “My clinic”.
  @Sendable
  static func heading(_ context: Context) throws -> Text {
    let person = try context.keys.person
    let isAhead = try context.integer(
      """
      SELECT CASE WHEN ends_at > \(context.now) THEN 1 ELSE 0 END FROM appointments
      WHERE person = \(person) AND status <> 'cancelled' AND NOT EXISTS (
        SELECT 1 FROM appointments_chosen_clinics AS chosen WHERE chosen.person = \(person))
      ORDER BY 1 DESC LIMIT 1
      """)
    guard let isAhead else { return "my-clinic.title" }
    return isAhead == 1 ? "my-clinic.next-visit" : "my-clinic.last-visit"
  }

  private var html: HTML {
    let name: HTML = """
      <p><a href="\(ClinicPage.path(clinic.id))"><strong><bdi>\
      \(clinic.name.string(in: context.language))</bdi></strong></a><br>\
      <span class="secondary-text">\(clinic.addressLine(context))</span></p>
      """
    if clinic.closedAt != nil {
      return """
        \(name)<p>\(context.text("my-clinic.closed"))</p>\
        \(context.moreLink("my-clinic.choose-another", to: ClinicSearch.path))
        """
    }
    let treated = departments.map { context.text($0.specialization.title) }.joined(separator: ", ")
    let list: HTML? = treated.isEmpty ? nil : "<p class=\"muted\">\(treated)</p>"
    let phone: HTML? = OutsideLink.telephone(clinic.phone).map { link in
      context.button(
        showing: "\(context.icon(.phone))<bdi dir=\"ltr\">\(clinic.phone)</bdi>", to: link,
        style: [.secondary, .small])
    }
    return """
      \(name)\(list)\
      \(actions:
        context.button(
          "my-clinic.book-here",
          to: Path("/appointments/new").query(["clinic": clinic.id.description]),
          style: [.secondary, .small]),
        phone)
      """
  }

  private static func choiceLinks(_ context: Context) -> HTML {
    """
    <p>\(context.text("my-clinic.none"))</p>\
    \(actions:
      context.button("my-clinic.from-list", to: ClinicSearch.path, style: .secondary),
      context.button("my-clinic.from-map", to: ClinicMapPage.path, style: .secondary),
      context.button("nearest.title", to: NearestClinics.address.path, style: .secondary))
    """
  }
}

extension Clinic {
  /// Returns the clinic that a person has chosen, or else that of the next appointment, or else of
  /// the last one; nil without any. Runs one statement.
  static func own(of person: ID<Person>, in work: Work) throws -> Clinic? {
    try work.row(
      """
      SELECT \(table.columns) FROM \(table.name) WHERE id_clinic = COALESCE(
        (SELECT clinic FROM appointments_chosen_clinics AS chosen WHERE chosen.person = \(person)),
        (SELECT departments.clinic FROM appointments
          JOIN appointments_doctors AS doctors ON id_doctor = appointments.doctor
          JOIN appointments_departments AS departments ON id_department = doctors.department
          WHERE appointments.person = \(person) AND status <> 'cancelled'
          ORDER BY CASE WHEN ends_at > \(work.now) THEN 0 ELSE 1 END,
            abs(starts_at - \(work.now))
          LIMIT 1))
      """, table.record)
  }
}
