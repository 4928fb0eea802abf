import PolyclinicCore

/// The pages for days with special hours: a clinic's or doctor's for the administrator, and the
/// doctor's own.
struct SpecialHoursPages: Sendable {
  let place: Place
  /// Finds the doctor or clinic to which the visitor adds special hours, with the time zone.
  let owner: @Sendable (Context) throws -> (SpecialHours.Owner, Zone)

  /// The administrator's pages of a doctor.
  static let ofDoctor = SpecialHoursPages(place: .administration) { context in
    let placement = try DoctorPlacement.inPath(context)
    return (.doctor(placement.doctor.id), placement.clinic.zone)
  }

  /// The administrator's pages of a clinic.
  static let ofClinic = SpecialHoursPages(place: .administration) { context in
    let clinic = try Clinic.inPath(context)
    return (.clinic(clinic.id), clinic.zone)
  }

  /// The pages on which doctors enter their own days off.
  static let own = SpecialHoursPages(place: .own) { context in
    let placement = try SignedInDoctor.placement(context)
    return (.doctor(placement.doctor.id), placement.clinic.zone)
  }

  @Sendable
  func blank(_ context: Context) throws -> SpecialHoursDraft {
    _ = try owner(context)
    return SpecialHoursDraft()
  }

  /// Stores the days. Leads to the appointments booked in them or to the warning of an open waiting
  /// list, or if there are none to the list.
  @Sendable
  func create(
    _ draft: SpecialHoursDraft, _ context: Context
  ) throws -> Path {
    let (owner, zone) = try owner(context)
    let id = try draft.insert(of: owner, in: zone, in: context)
    let (specialHours, _) = try SpecialHours.withZone(id, in: context)
    if try specialHours.meetsWaitingList(in: zone, in: context) {
      return place.page(of: specialHours)
    }
    return try BookingsOutsideHours.during(specialHours, in: zone, shownAt: place, in: context).next
  }

  /// Returns the warning that patients can still join a waiting list. Doctors get the link to their
  /// own.
  private func listNotice(_ context: Context) -> HTML {
    context.notice(
      .remark, "admin.exception.list-open", as: .warning,
      action: place == .own
        ? context.button(
          "queue.card.more", to: "/appointments/queue", style: [.secondary, .small]) : nil)
  }

  /// Shows days with special hours and the appointments booked in them.
  @Sendable
  func show(_ context: Context) throws -> Response {
    // The doctor's own page names the patients, which adds entries to their access logs.
    let find = { (context: Context) in
      let (specialHours, zone) = try place.specialHours(context)
      let outsideHours = try BookingsOutsideHours.during(
        specialHours, in: zone, shownAt: place, in: context)
      return (
        specialHours,
        try specialHours.meetsWaitingList(in: zone, in: context)
          ? listNotice(context) : nil,
        try BookingsOutsideHoursView(outsideHours, for: place.staff(context).reason, context)
      )
    }
    let (specialHours, warning, view) =
      try place == .own ? context.write(find) : find(context)
    let facts = context.facts([
      HTML.Fact(
        "admin.exception.days",
        "\(SpecialHoursViews.days(of: specialHours, context))"),
      HTML.Fact(
        Text("exception.\(specialHours.kind.rawValue)"),
        SpecialHoursViews.time(of: specialHours, context)),
    ])
    let heading: HTML? =
      view.outsideHours.bookings.isEmpty
      ? nil : "<h2>\(context.text("admin.displaced.title"))</h2>"
    return .page(
      Page(
        "admin.exception.title",
        """
        \(warning)\(facts)\(heading)\(view.content(empty: "admin.displaced.none"))\
        \(actions:
          context.button(
            "admin.exception.delete",
            to: "\(place.page(of: specialHours).resolved(in: context.module))/delete",
            style: [.danger, .secondary]))
        """,
        back: place.list(of: specialHours)))
  }

  @Sendable
  func deleteQuestion(_ context: Context) throws -> HTML {
    let (specialHours, zone) = try place.specialHours(context)
    return """
      <p>\(context.text("admin.exception.delete.question"))</p>\
      <p><strong>\(SpecialHoursViews.days(of: specialHours, context))</strong> \
      \(SpecialHoursViews.time(of: specialHours, context))</p>\
      <p class="hint">\(context.text("admin.hours.zone", ["zone": zone.identifier]))</p>
      """
  }

  @Sendable
  func delete(_ context: Context) throws -> Path {
    let (specialHours, _) = try place.specialHours(context)
    try specialHours.delete(in: context)
    return place.list(of: specialHours)
  }
}

extension SpecialHoursPages {
  /// The part of the module in which the pages stand.
  enum Place: Sendable {
    /// The administration, for all doctors and clinics.
    case administration
    /// The signed-in doctor's own hours.
    case own

    /// The page of special hours.
    func page(of specialHours: SpecialHours) -> Path {
      switch self {
      case .administration: "admin/exceptions/\(specialHours.id)"
      case .own: "hours/\(specialHours.id)"
      }
    }

    /// The page that lists the special hours of the same doctor or clinic.
    func list(of specialHours: SpecialHours) -> Path {
      switch self {
      case .administration: specialHours.owner.page
      case .own: "hours"
      }
    }

    /// Returns the special hours that the `{id}` of the path names, with the clinic's time zone.
    /// Throws ``Refusal/notFound`` if there are none, or if they are not the doctor's own.
    func specialHours(
      _ context: Context
    ) throws -> (SpecialHours, Zone) {
      let found = try SpecialHours.inPath(context)
      switch self {
      case .administration: return found
      case .own:
        let doctor = try SignedInDoctor.placement(context).doctor
        guard found.0.owner == .doctor(doctor.id) else { throw Refusal.notFound }
        return found
      }
    }

    /// Returns the visitor as the member of staff who changes appointments in special hours.
    @Sendable
    func staff(_ context: Context) throws -> Booking.Staff {
      switch self {
      case .administration: try .administrator(context)
      case .own: try .doctor(context)
      }
    }
  }
}
