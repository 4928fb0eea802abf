import PolyclinicCore

/// The first steps of an appointment: the specialization and the doctor of a booking, and the form
/// for an appointment elsewhere.
struct NewAppointment: RoutedForm {
  static let address: Address<Void> = "/appointments/new"
  static let title: Text = "personal.new"
  static let form = PersonalAppointment.form
  static let cancel = AppointmentList.path
  static var route: Route {
    Route(Self.self).titled("specialists.title").saying("personal.saved")
      .leadingBack(to: withDoctor).readableByEveryone
  }

  /// The specializations without the form for an appointment elsewhere.
  static let withDoctor = path.query(["with": "doctor"])
  /// The form alone.
  static let personal = path.query(["with": "personal"])

  private let clinic: ID<Clinic>?
  private let context: Context

  init(_ context: Context) {
    self.context = context
    clinic = ID(context.request.query["clinic"])
  }

  /// The page in place of the form: the doctors of a specialization, the times of a doctor, and the
  /// specializations without the form, if it cannot be sent or is not wanted.
  var before: Response? {
    get throws {
      let query = context.request.query
      if query.contains("doctor") { return .redirect(to: BookingForm.path.query(query)) }
      if query.contains("specialization") { return .page(try doctors) }
      if query["with"] == "personal" {
        _ = try context.signedIn()
        try PersonalAppointment.requireRight(in: context)
        return nil
      }
      return context.visitor == nil || !context.mayChangeRecords || query.contains("clinic")
        || query.contains("with")
        ? .page(try specializations(above: HTML())) : nil
    }
  }

  /// The link to book with a doctor instead.
  var about: HTML? {
    get throws {
      """
      <p>\(try PersonalAppointment.about(context))</p>\
      \(actions: context.button("agenda.book", to: Self.withDoctor, style: .secondary))
      """
    }
  }

  /// Returns the page of specializations, with the form folded up below them; nil for the page with
  /// the form alone, which a form that was sent gets.
  func page(around form: HTML) throws -> Page? {
    context.request.method == .post || context.request.query["with"] == "personal"
      ? nil : try specializations(above: form)
  }

  func save(_ appointment: PersonalAppointment, in context: Context) throws -> Redirect {
    Redirect(to: PersonalAppointment.page(of: try appointment.insert(in: context)))
  }
}

/// The specializations.
extension NewAppointment {
  private func specializations(above form: HTML) throws -> Page {
    let counts = try counts
    let usual = Self.usual.compactMap { one in counts.first { $0.specialization == one } }
    let others = counts.filter { !Self.usual.contains($0.specialization) }
      .map { (name: SearchText(context.text($0.specialization.title)), count: $0) }
      .sorted { $0.name < $1.name }.map(\.count)
    let heading: HTML? =
      usual.isEmpty || others.isEmpty ? nil : "<h2>\(context.text("specialists.others"))</h2>"
    // The page of a clinic has few rows, and the search would find doctors of all clinics.
    let search: HTML? =
      clinic == nil
      ? context.searchForm(at: DoctorList.path, "find.label", submit: "clinics.search") : nil
    let rows: HTML =
      counts.isEmpty
      ? context.emptyState(.calendar, "specialists.none", hint: "specialists.none.hint")
      : """
      \(search)\(usual.isEmpty ? nil : "\(rows: usual, row)")\(heading)\
      \(others.isEmpty ? nil : "\(rows: others, row)")
      """
    let personal: HTML? =
      form.isEmpty
      ? nil
      : """
      <details class="panel"><summary>\(context.text("agenda.personal"))</summary>\
      <p>\(try PersonalAppointment.about(context))</p>\(form)</details>
      """
    return Page("specialists.title", "\(rows)\(personal)", back: AppointmentList.path)
  }

  /// The specializations that most people look for, which stand before all others.
  private static let usual: [Specialization] = [.generalPractice, .pediatrics, .dentistry]

  private func row(_ count: (specialization: Specialization, doctors: Int)) -> HTML {
    let title = context.text(count.specialization.title)
    let doctors = context.text("specialists.count", count: count.doctors)
    let path = Self.doctors(of: count.specialization, in: clinic)
    return count.specialization == .pediatrics
      ? .row(to: path, "\(context.text("specialists.child"))", detail: "\(title) · \(doctors)")
      : .row(to: path, "\(title)", detail: "\(doctors)")
  }

  /// The specializations of the clinic, or of all clinics, with the number of doctors who can be
  /// booked.
  private var counts: [(specialization: Specialization, doctors: Int)] {
    get throws {
      try context.rows(
        """
        SELECT specialization, count(*) \(bookable)
        GROUP BY specialization ORDER BY count(*) DESC, specialization
        """
      ) { row in
        Specialization(rawValue: row.string(0)).map { ($0, row.int(1)) }
      }.compactMap(\.self)
    }
  }

  /// The doctors of the clinic, or of all clinics, who can be booked.
  private var bookable: SQL {
    let only: SQL = clinic.map { "AND id_clinic = \($0)" } ?? ""
    return """
      FROM appointments_doctors AS doctors
      JOIN appointments_departments AS departments ON id_department = department
      JOIN appointments_clinics AS clinics ON id_clinic = departments.clinic
      WHERE doctors.person IS NOT NULL AND disabled_at IS NULL AND departments.closed_at IS NULL
        AND clinics.closed_at IS NULL \(only)
      """
  }
}

/// The doctors of a specialization.
extension NewAppointment {
  /// The number of doctors on a page.
  private static let pageSize = 20

  /// Returns the path of the doctors of a specialization.
  static func doctors(
    of specialization: Specialization, in clinic: ID<Clinic>? = nil, page: Int? = nil
  ) -> Path {
    var fields = Fields(["specialization": specialization.rawValue])
    if let clinic { fields.append("clinic", clinic.description) }
    if let page { fields.append("page", String(page)) }
    return path.query(fields)
  }

  /// A doctor who can be booked.
  private struct Specialist {
    let doctor: ID<Doctor>
    let name: String
    let clinic: ID<Clinic>
    let isAtOwnClinic: Bool
    let profile: DoctorProfile
    /// True if the doctor accepts no new patients and does not know the visitor.
    var refusesVisitor = false
  }

  private var doctors: Page {
    get throws {
      let query = context.request.query
      guard let specialization = Specialization(rawValue: query["specialization"]) else {
        throw Refusal.notFound
      }
      let found = try specialists(specialization)
      // Only the doctors of the page, because anyone may ask and each doctor's next free time is
      // computed.
      let pagination = Page.Pagination(
        page: query.page, total: found.count, size: Self.pageSize)
      let shown = found[pagination.range]
      let placements = try DoctorPlacement.all(of: Set(shown.map(\.doctor)), in: context)
      let placed = shown.compactMap { one in placements[one.doctor].map { (one, $0) } }
      let next = try Availability.next(1, times: 1, of: placed.map(\.1), context)
      let pages = context.pageLinks(pagination) {
        Self.doctors(of: specialization, in: clinic, page: $0)
      }
      let list: HTML =
        placed.isEmpty
        ? context.emptyState(.person, "specialists.none")
        : "\(rows: zip(placed, next), { row($0.0, at: $0.1, next: $1.firstTime) })\(pages)"
      return Page(
        "specialists.doctors",
        "<p class=\"lead\">\(context.text(specialization.title))</p>\(list)", back: Self.path)
    }
  }

  /// Returns the doctors of a specialization who can be booked, those of the visitor's own clinic
  /// first, and those who refuse the visitor last.
  private func specialists(_ specialization: Specialization) throws -> [Specialist] {
    let person = context.visitor == nil ? nil : try context.keys.person
    let keys = context.portal.keys
    let found = try context.rows(
      """
      SELECT \(DoctorName.columns), id_clinic, EXISTS (
        SELECT 1 FROM appointments_chosen_clinics AS chosen
        WHERE chosen.person = \(person ?? ID(0)) AND chosen.clinic = id_clinic) AS own
      \(bookable) AND specialization = \(specialization.rawValue)
      """
    ) { row in
      let place = row.from(DoctorName.columnCount)
      let name = DoctorName(row)
      return Specialist(
        doctor: row.id(0), name: try name.opened(by: keys, in: context.language),
        clinic: place.id(0), isAtOwnClinic: place.bool(1), profile: try name.profile(by: keys))
    }
    let refusing = try context.doctorsRefusingVisitor(among: found.map { ($0.doctor, $0.profile) })
    let named = found.map { one in
      var one = one
      one.refusesVisitor = refusing.contains(one.doctor)
      let rank = one.refusesVisitor ? 2 : one.isAtOwnClinic ? 0 : 1
      return (rank: rank, name: SearchText(one.name), one: one)
    }
    return named.sorted {
      ($0.rank, $0.one.clinic, $0.name, $0.one.doctor)
        < ($1.rank, $1.one.clinic, $1.name, $1.one.doctor)
    }.map(\.one)
  }

  /// Returns a doctor with the clinic's address and the next free time.
  private func row(_ specialist: Specialist, at placement: DoctorPlacement, next: Slot?) -> HTML {
    let time = next.map { BookingText.shortDateTime($0, context) }
    let next: Text =
      specialist.refusesVisitor
      ? context.visitor == nil ? "doctor.new-patients.guest" : "doctor.new-patients.only"
      : time.map { Text("specialists.next", ["time": $0]) } ?? "specialists.next.none"
    let clinic = placement.clinic
    let marks: [HTML] = [
      specialist.isAtOwnClinic ? context.badge("specialists.own-clinic") : nil,
      placement.childrenBadge(context),
      specialist.profile.newPatientsBadge(context),
    ].compactMap(\.self)
    return .row(
      to: BookingForm.times(of: specialist.doctor), "<bdi>\(specialist.name)</bdi>",
      mark: marks.isEmpty ? nil : "\(marks)",
      detail: """
        <bdi>\(BookingText.name(of: clinic, context))</bdi>, \
        \(clinic.addressLine(context))<br>\
        \(context.text(next))
        """)
  }
}
