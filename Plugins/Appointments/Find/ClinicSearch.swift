import PolyclinicCore

/// The list of open clinics, or those that match what was asked for.
struct ClinicSearch {
  let found: [FoundClinic]
  let filter: ClinicFilter
  let context: Context

  var page: Page {
    let isEmpty = found.isEmpty && filter.isEmpty
    let content: HTML =
      isEmpty ? context.noClinics : "\(ClinicFilterForm(filter, context).html)\(results)"
    return Page(
      "clinics.title", content, actions: isEmpty ? nil : ways,
      scripts: isEmpty ? [] : ["search.js"])
  }

  private var ways: HTML {
    """
    <div class="actions"><a class="button secondary" \
    href="\(Path("/appointments/clinics/map").query(filter.fields))">\(context.icon(.pin))\
    \(context.text("clinics.map"))</a> <a class="button secondary" \
    href="/appointments/clinics/nearest">\(context.text("nearest.title"))</a></div>
    """
  }

  private var results: HTML {
    if found.isEmpty { return ClinicFilterForm(filter, context).nothingFound }
    let pagination = Pagination(page: context.request.query.page, total: found.count)
    let shown = found.byName(in: context.language)[pagination.range]
    let pages = context.pageLinks(pagination) { page in
      var fields = filter.fields
      fields.append("page", String(page))
      return Path("/appointments/clinics").query(fields)
    }
    return """
      <div id="results"><p class="count" role="status">\
      \(context.text("clinics.count", count: found.count))</p>\
      <ul class="rows">\(each: shown, { $0.row(context) })</ul>\(pages)</div>
      """
  }
}

extension Context {
  /// That no clinic was entered yet.
  var noClinics: HTML {
    """
    <section class="empty">\(icon(.pin))<h2>\(text("clinics.empty"))</h2>\
    <p>\(text("clinics.empty.hint"))</p></section>
    """
  }
}
