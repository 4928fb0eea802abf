import PolyclinicCore

/// The administrator's list of all clinics, with a badge on the closed ones.
struct ClinicList {
  let clinics: [Clinic]
  let context: Context

  var page: Page {
    let new: HTML = context.button("admin.clinic.new", to: "/appointments/admin/clinics/new")
    if clinics.isEmpty { return Page("admin.clinics.title", nothingYet(new)) }
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
      to: "/appointments/admin/clinics/\(clinic.id)",
      "<bdi>\(clinic.name.string(in: context.language))</bdi>",
      mark: "\(ClinicAdministrationPage.marks(of: clinic, context))",
      detail: "<bdi>\(clinic.addressLine(context))</bdi>")
  }

  private func nothingYet(_ new: HTML) -> HTML {
    context.emptyState(
      .calendar, "admin.clinics.empty", hint: "admin.clinics.empty.hint", actions: new)
  }
}
