import PolyclinicCore

/// The administrator's list of all clinics, with a badge on the closed ones.
struct ClinicList: RoutedPage {
  static let address: Address<Void> = "/appointments/admin/clinics"
  /// The path above all pages of the administration.
  static let area: Address<Void> = "/appointments/admin"
  static let access = Access.role(.administrator)

  private let clinics: [Clinic]
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    clinics = try Clinic.all(in: context)
  }

  var page: Page {
    let new: HTML = context.button("admin.clinic.new", to: NewClinic.path)
    if clinics.isEmpty {
      return Page(
        "admin.clinics.title",
        context.emptyState(
          .calendar, "admin.clinics.empty", hint: "admin.clinics.empty.hint", actions: new))
    }
    return Page(
      "admin.clinics.title",
      """
      \(context.resultCount(Text("admin.clinics.count", count: clinics.count)))\
      \(rows: clinics, row)
      """,
      actions: new)
  }

  private func row(_ clinic: Clinic) -> HTML {
    HTML.row(
      to: ClinicAdministration.path(clinic.id),
      "<bdi>\(clinic.name.string(in: context.language))</bdi>",
      mark: clinic.marks(context), detail: clinic.addressLine(context))
  }
}

/// The form for a new clinic.
struct NewClinic: RoutedForm {
  static let address: Address<Void> = "/appointments/admin/clinics/new"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.clinic.new"
  static let form = ClinicDraft.pageForm
  static let cancel = ClinicList.path

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// An empty draft with the time zone of the portal or else of another clinic, because most new
  /// clinics are there. A portal in UTC was given no time zone, so that the form asks for it.
  var start: ClinicDraft {
    get throws {
      var draft = ClinicDraft()
      let zone = context.portal.clinic.zone
      let isProgram =
        context.request.method == .post && !context.request.fields.contains("time_zone")
      draft.zone =
        isProgram || ![.utc, Zone("Etc/UTC")].contains(zone)
        ? zone.identifier : try Clinic.all(in: context).first?.zone.identifier ?? ""
      return draft
    }
  }

  func save(_ draft: ClinicDraft, in context: Context) throws -> Redirect {
    let id = try draft.placed(by: context.portal.gazetteer).insert(in: context)
    return Redirect(to: ClinicAdministration.path(id))
  }
}

/// The form that changes a clinic.
struct EditClinic: RoutedForm {
  static let address: Address<ID<Clinic>> = "/appointments/admin/clinics/{id}/edit"
  static let access = Access.role(.administrator)
  static let title: Text = "admin.clinic.edit"
  static let form = ClinicDraft.pageForm
  static let cancel = ClinicAdministration.address.pattern
  static let isVersioned = true

  private let id: ID<Clinic>
  let start: ClinicDraft

  init(_ context: Context) throws {
    let clinic = try Clinic.inPath(context)
    (id, start) = (clinic.id, ClinicDraft(clinic))
  }

  func save(_ draft: ClinicDraft, in context: Context) throws -> Redirect {
    try draft.placed(by: context.portal.gazetteer).update(id, in: context)
    // The clinic is read again, because its time zone may have changed.
    return Redirect(to: try ClinicOutsideHours.find(context).next)
  }
}
