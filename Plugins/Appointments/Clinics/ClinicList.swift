import PolyclinicCore

/// The list of all clinics, the closed ones marked.
struct ClinicList {
  let clinics: [Clinic]
  let context: Context

  var page: Page {
    let new: HTML = """
      <a class="button" href="/appointments/admin/clinics/new">\
      \(context.text("admin.clinic.new"))</a>
      """
    if clinics.isEmpty { return Page("admin.clinics.title", nothingYet(new)) }
    return Page(
      "admin.clinics.title",
      """
      <p class="count" role="status">\(context.text("admin.clinics.count", count: clinics.count))</p>\
      <ul class="rows">\(each: clinics, row)</ul>
      """,
      actions: new)
  }

  private func row(_ clinic: Clinic) -> HTML {
    """
    <li><a href="/appointments/admin/clinics/\(clinic.id)"><span>\
    <strong><bdi>\(clinic.name.string(in: context.language))</bdi></strong>\
    \(ClinicDetails.marks(of: clinic, context))\
    <span class="secondary-text"><bdi>\(clinic.address.line(in: context.language))</bdi></span></span></a></li>
    """
  }

  private func nothingYet(_ new: HTML) -> HTML {
    """
    <section class="empty">\(context.icon(.calendar))<h2>\(context.text("admin.clinics.empty"))</h2>\
    <p>\(context.text("admin.clinics.empty.hint"))</p><p class="actions">\(new)</p></section>
    """
  }
}
