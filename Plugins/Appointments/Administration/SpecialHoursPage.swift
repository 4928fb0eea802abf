import PolyclinicCore

/// A page of days with special hours, with the appointments booked in them: among the
/// administrator's pages or among the doctor's own.
protocol SpecialHoursDetails: OutsideHoursPage where Value == ID<SpecialHours> {
  static var deletion: Address<ID<SpecialHours>> { get }
  /// The special hours, the warning of an open waiting list, and the appointments.
  var shown: Shown { get }

  /// Returns the special hours that the `{id}` of the path names, with the clinic's time zone.
  /// Throws ``Refusal/notFound`` if there are none, or if the visitor may not change them.
  static func specialHours(_ context: Context) throws -> (SpecialHours, Zone)
  /// Returns the page that lists the special hours of the same doctor or clinic.
  static func back(from specialHours: SpecialHours) -> Path
}

extension SpecialHoursDetails {
  static var linkTitle: Text? { "admin.exception.title" }

  typealias Shown = (specialHours: SpecialHours, warning: HTML?, list: BookingsOutsideHoursView)

  var list: BookingsOutsideHoursView { shown.list }

  static func find(_ context: Context) throws -> BookingsOutsideHours {
    let (specialHours, zone) = try specialHours(context)
    return try find(specialHours, in: zone, context)
  }

  /// Finds the appointments in the special hours, in the clinic's time zone.
  static func find(
    _ specialHours: SpecialHours, in zone: Zone, _ context: Context
  ) throws -> BookingsOutsideHours {
    try BookingsOutsideHours(
      during: specialHours,
      at: place(specialHours.id, in: zone, back: back(from: specialHours)), in: context)
  }

  fileprivate static func shown(_ context: Context) throws -> Shown {
    try read(context) { context, reason in
      let (specialHours, zone) = try specialHours(context)
      let outsideHours = try find(specialHours, in: zone, context)
      return (
        specialHours,
        try specialHours.meetsWaitingList(in: zone, in: context) ? listNotice(context) : nil,
        try BookingsOutsideHoursView(outsideHours, for: reason, context)
      )
    }
  }

  /// Returns the warning that patients can still join a waiting list. Doctors get the link to their
  /// own.
  private static func listNotice(_ context: Context) -> HTML {
    context.notice(
      .remark, "admin.exception.list-open", as: .warning,
      action: access == .role(.doctor)
        ? context.button("queue.card.more", to: DoctorQueuePage.path, style: [.secondary, .small])
        : nil)
  }

  var page: Page {
    let (specialHours, warning, list) = shown
    let context = list.context
    let facts = context.facts([
      HTML.Fact("admin.exception.days", "\(specialHours.daysText(context))"),
      HTML.Fact(Text("exception.\(specialHours.kind.rawValue)"), specialHours.time(context)),
    ])
    let heading: HTML? =
      list.outsideHours.bookings.isEmpty
      ? nil : "<h2>\(context.text("admin.displaced.title"))</h2>"
    return Page(
      "admin.exception.title",
      """
      \(warning)\(facts)\(heading)\(list.content(empty: "admin.displaced.none"))\
      \(actions:
        context.button(
          "admin.exception.delete", to: Self.deletion.path(specialHours.id),
          style: [.danger, .secondary]))
      """,
      back: Self.back(from: specialHours))
  }
}

/// The administrator's page of special hours of a doctor or clinic.
struct SpecialHoursPage: SpecialHoursDetails {
  static let address: Address<ID<SpecialHours>> = "/appointments/admin/exceptions/{id}"
  static let cancelling: Address<ID<SpecialHours>> = "/appointments/admin/exceptions/{id}/cancel"
  static let rescheduling: Address<ID<SpecialHours>> = "/appointments/admin/exceptions/{id}/move"
  static let deletion: Address<ID<SpecialHours>> = "/appointments/admin/exceptions/{id}/delete"
  static let access = Access.role(.administrator)

  let shown: Shown

  init(_ context: Context) throws { shown = try Self.shown(context) }

  static func specialHours(_ context: Context) throws -> (SpecialHours, Zone) {
    guard let specialHours = try SpecialHours.find(context.id(), in: context) else {
      throw Refusal.notFound
    }
    let clinic =
      switch specialHours.owner {
      case .clinic(let id): try Clinic.find(id, in: context)
      case .doctor(let id): try DoctorPlacement.find(id, in: context)?.clinic
      }
    guard let clinic else { throw Refusal.notFound }
    return (specialHours, clinic.zone)
  }

  static func back(from specialHours: SpecialHours) -> Path {
    switch specialHours.owner {
    case .doctor(let doctor): DoctorAdministration.path(doctor)
    case .clinic(let clinic): ClinicAdministration.path(clinic)
    }
  }
}

/// The doctor's page of own special hours.
struct OwnSpecialHoursPage: SpecialHoursDetails {
  static let address: Address<ID<SpecialHours>> = "/appointments/hours/{id}"
  static let cancelling: Address<ID<SpecialHours>> = "/appointments/hours/{id}/cancel"
  static let rescheduling: Address<ID<SpecialHours>> = "/appointments/hours/{id}/move"
  static let deletion: Address<ID<SpecialHours>> = "/appointments/hours/{id}/delete"
  static let access = Access.role(.doctor)

  let shown: Shown

  init(_ context: Context) throws { shown = try Self.shown(context) }

  static func specialHours(_ context: Context) throws -> (SpecialHours, Zone) {
    let placement = try SignedInDoctor.placement(context)
    guard let specialHours = try SpecialHours.find(context.id(), in: context),
      specialHours.owner == .doctor(placement.doctor.id)
    else { throw Refusal.notFound }
    return (specialHours, placement.clinic.zone)
  }

  static func back(from specialHours: SpecialHours) -> Path { OwnHours.path }
}

/// The question before special hours are deleted, so that the usual hours apply again.
struct DeleteSpecialHours<Details: SpecialHoursDetails>: RoutedForm {
  static var address: Address<ID<SpecialHours>> { Details.deletion }
  static var access: Access { Details.access }
  static var title: Text { "admin.exception.delete.title" }
  static var submit: Text { "delete.yes" }
  static var cancel: Path { Details.address.pattern }
  static var isQuestion: Bool { true }

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws {
      let (specialHours, zone) = try Details.specialHours(context)
      return """
        <p>\(context.text("admin.exception.delete.question"))</p>\
        <p><strong>\(specialHours.daysText(context))</strong> \(specialHours.time(context))</p>\
        <p class="hint">\(context.text("admin.hours.zone", ["zone": zone.identifier]))</p>
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    let (specialHours, _) = try Details.specialHours(context)
    try specialHours.delete(in: context)
    return Redirect(to: Details.back(from: specialHours))
  }
}

extension SpecialHours {
  /// Returns “4 May 2026 – 8 May 2026”, or one date for a single day.
  fileprivate func daysText(_ context: Context) -> String {
    let first = context.formats.date(days.lowerBound)
    return days.lowerBound == days.upperBound
      ? first : "\(first) – \(context.formats.date(days.upperBound))"
  }

  /// Returns “all day”, or the hours.
  fileprivate func time(_ context: Context) -> HTML {
    isWholeDay
      ? "\(context.text("admin.exception.all-day"))"
      : "<bdi>\(DayMinutes.text([minutes], context))</bdi>"
  }

  fileprivate func delete(in work: Work) throws {
    // Calls that are due are stored first, because the change would otherwise rewrite past ones.
    try WaitingList.settle(owner.doctors(in: work), in: work)
    try work.run(
      """
      DELETE FROM appointments_exceptions
      WHERE \(owner.condition) AND kind = \(kind.rawValue)
        AND starts = \(minutes.lowerBound) AND ends = \(minutes.upperBound)
        AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      """)
  }
}

extension [SpecialHours] {
  /// Returns rows that lead to the pages at this address, or `empty` without special hours.
  func list(_ address: Address<ID<SpecialHours>>, empty: Text, _ context: Context) -> HTML {
    if isEmpty { return "<p class=\"muted\">\(context.text(empty))</p>" }
    return """
      \(rows: self, { one in
        let kind = context.text(Text("exception.\(one.kind.rawValue)"))
        return HTML.row(
          to: address.path(one.id), "\(one.daysText(context))",
          detail: "\(kind), \(one.time(context))")
      })
      """
  }
}
