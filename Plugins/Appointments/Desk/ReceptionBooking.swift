import PolyclinicCore

/// The reception's pages that book for a patient: the search for the patient, the doctors, the
/// times, and the form for the patient who was found.
struct ReceptionBooking: ReceptionBookingForm {
  static let address: Address<Void> = "/appointments/desk/book"
  static let form = Form(
    Draft(),
    .text(\.chosen, SealedSearchValue.field, required: true, limit: 200).told { _, _ in "" }
      .labelled("field.patient"),
    .part(\.booking, BookingRequest.staffForm))

  struct Draft: Sendable {
    var booking = BookingRequest()
    /// The patient's complete login or e-mail address.
    var patient = ""
    /// The sealed number of the patient who was chosen from a search.
    var chosen = ""
  }

  let attempt: BookingAttempt

  init(_ context: Context) throws { attempt = try .atReception(context) }

  var before: Response? {
    get throws {
      let query = context.request.query
      let isSearch = ["search", "found"].contains(where: query.contains)
      if query[SealedSearchValue.field].isEmpty, isSearch || query["doctor"].isEmpty {
        return .page(try PatientSearchPage(attempt).page)
      }
      if query["doctor"].isEmpty { return .page(try doctors) }
      if !query.hasTime {
        return try ReceptionDoctors(base: Self.path, context: context).times(
          above: patient?.heading(context))
      }
      return query[SealedSearchValue.field].isEmpty
        ? .redirect(to: ReceptionBookingByLogin.path.query(query)) : nil
    }
  }

  /// The page of the doctors, below the patient's appointments ahead.
  private var doctors: Page {
    get throws {
      let patient = try patient
      let ahead = try patient.flatMap { try appointments(ahead: $0.person) }
      let file = try patient.map { try self.file(of: $0) }
      return try ReceptionDoctors(base: Self.path, context: context).page(
        back: Self.cancel, above: "\(patient?.heading(context))\(file)\(ahead)")
    }
  }

  /// Returns those who act for the patient, if it is a child, the links that nobody has used yet,
  /// and the buttons to correct the details and to make links; the reason for their absence for a
  /// patient with an account, and for one of other receptions.
  private func file(of patient: Portal.FoundPerson) throws -> HTML {
    let correction = try PatientCorrection.link(for: patient.person, context)
    guard let access = try PatientAccess.find(of: patient.person, context) else {
      return "<p class=\"hint\">\(context.text("reception.file.closed"))</p>"
    }
    let facts: [HTML.Fact?] = [
      HTML.Fact("reception.guardians", keepingLines: access.names(context)),
      HTML.Fact("reception.guardians.blocked", keepingLines: access.blocked(context)),
    ]
    let guardians: HTML? = facts.contains { $0 != nil } ? context.facts(facts) : nil
    // A patient whose details the reception cannot correct has an account.
    let account: HTML? =
      correction == nil
      ? "<p class=\"hint\">\(access.account(of: patient.name, context))</p>" : nil
    let isIncomplete = correction != nil && patient.birthDate == nil
    let hint: HTML? =
      isIncomplete ? "<p class=\"hint\">\(context.text("reception.no-birth-date"))</p>" : nil
    let links = access.buttons(context, style: [.secondary, .small])
    return """
      \(guardians)\(access.endings(context))\(access.unused(context))\(account)\
      \(actions: [correction] + links)\(hint)
      """
  }

  /// Returns the patient's appointments ahead at the visitor's clinics, for a caller who wants to
  /// change one; nil if there are none.
  private func appointments(ahead patient: ID<Person>) throws -> HTML? {
    let ahead = try Booking.ahead(of: patient, in: context)
    if ahead.isEmpty { return nil }
    let clinics = try Receptionist.clinics(of: context.signedIn().person, in: context).map(\.id)
    let placements = try DoctorPlacement.all(of: Set(ahead.map(\.doctor)), in: context)
    let rows = try ahead.compactMap { booking -> HTML? in
      guard let placement = placements[booking.doctor], clinics.contains(placement.clinic.id)
      else { return nil }
      return .row(
        to: StaffAppointmentPage.path(booking.id),
        "\(BookingText.span(booking.span, in: booking.zone, context))",
        mark: AppointmentFacts.badge(booking, context),
        detail:
          "<bdi>\(try placement.doctor.name.shown(context))</bdi> · \(placement.place(context))")
    }
    if rows.isEmpty { return nil }
    return """
      <h2>\(context.text("reception.patient.ahead"))</h2>\(rows: rows)\
      <h2>\(context.text("reception.patient.new"))</h2>
      """
  }
}

/// The reception's form that books a time for a patient who is named by login or e-mail.
struct ReceptionBookingByLogin: ReceptionBookingForm {
  static let address: Address<Void> = "/appointments/desk/book/login"
  static let form = Form(
    Draft(),
    .text(
      \.patient, "patient", required: true, limit: 254, autocomplete: "off",
      hint: "field.patient.hint"),
    .part(\.booking, BookingRequest.staffForm))

  let attempt: BookingAttempt

  init(_ context: Context) throws { attempt = try .atReception(context) }

  var before: Response? {
    let query = context.request.query
    return query["doctor"].isEmpty || !query.hasTime
      ? .redirect(to: ReceptionBooking.path.query(query)) : nil
  }
}

/// A form with which the reception books for a patient who has a record.
protocol ReceptionBookingForm: RoutedForm where Draft == ReceptionBooking.Draft, Value == Void {
  var attempt: BookingAttempt { get }
}

extension ReceptionBookingForm {
  static var access: Access { .role(.receptionist) }
  static var title: Text { "reception.book" }
  static var submit: Text { "booking.submit" }
  static var cancel: Path { ReceptionDay.path }
  static var route: Route {
    Route(Self.self).titled("times.title").leadingBack(to: ReceptionBooking.path)
  }

  static func origin(_ context: Context) -> Path? { context.times(at: ReceptionBooking.path) }

  fileprivate var context: Context { attempt.context }

  var start: Draft {
    get throws {
      Draft(booking: try attempt.start(), chosen: context.choices[SealedSearchValue.field])
    }
  }

  /// The chosen patient and the time. Without a chosen patient, the time with the links to the
  /// search and to the form for patients without an account.
  var about: HTML? {
    get throws {
      if let patient = try patient {
        return """
          \(patient.heading(context))\(try attempt.sameDay)\(try attempt.summaryForStaff)
          """
      }
      let chosen = context.choices.beforePatient
      var search = chosen
      search.append("search", "1")
      return """
        \(try attempt.summaryForStaff)\(actions:
          context.button("reception.search", to: ReceptionBooking.path.query(search), style: .secondary),
          context.button(
            "reception.without-account", to: NewPatientBooking.path.query(chosen),
            style: .secondary))
        """
    }
  }

  /// The patient who was chosen from a search; nil if none was. They are read in a write
  /// transaction, because the name adds an entry to their access log. Throws ``Refusal/notFound``
  /// for an unknown one.
  fileprivate var patient: Portal.FoundPerson? {
    get throws {
      guard let person = try SealedSearchValue.chosenPatient(in: context) else { return nil }
      let found = try PatientSearch.told([person], context).first
      guard let found else { throw Refusal.notFound }
      return found
    }
  }

  var instead: [Choice] { get throws { try attempt.choices } }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    _ = try attempt.requested()
    guard let patient = attempt.patient else {
      throw Refusal.invalid("patient", "reception.unknown-patient")
    }
    if !draft.chosen.isEmpty,
      try context.portal.people.found(patient, for: .reception, in: context) == nil
    {
      throw Refusal.invalid(SealedSearchValue.field, "reception.unknown-patient")
    }
    return Redirect(to: try attempt.bookForPatient(purpose: draft.booking.purpose))
  }
}

extension BookingAttempt {
  /// Returns the attempt for the patient who was chosen from a search, or who is named by login or
  /// e-mail in the form.
  fileprivate static func atReception(_ context: Context) throws -> BookingAttempt {
    let login = context.request.fields["patient"]
    let patient =
      try login.isEmpty
      ? SealedSearchValue.chosenPatient(in: context)
      : context.portal.people.find(login, for: .reception, in: context)
    return BookingAttempt(context, for: patient, by: try .receptionist(context))
  }
}
