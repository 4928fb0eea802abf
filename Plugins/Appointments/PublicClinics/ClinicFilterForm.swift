import PolyclinicCore

/// The search form for clinics.
struct ClinicFilterForm {
  let filter: ClinicFilter
  /// The specializations to choose from.
  private let offered: Set<Specialization>
  private let context: Context

  init(
    _ filter: ClinicFilter, offering offered: Set<Specialization>,
    _ context: Context
  ) {
    self.filter = filter
    self.offered = offered
    self.context = context
  }

  var html: HTML {
    """
    <form class="search" role="search" method="get" action="\(context.request.path)" data-live>\
    <label for="q">\(context.text("clinics.search.label"))</label>\
    <input type="search" id="q" name="q" value="\(filter.words)" autocomplete="off" \
    maxlength="200">\
    \(context.submit("clinics.search", style: .secondary))\
    <div class="filters">\(context.field("clinics.specialization", id: "specialization", select))\
    \(context.checkBox(
      "clinics.pediatric", name: "pediatric", isChecked: filter.onlyPediatric))\
    \(context.checkBox(
      "clinics.hospital", name: "hospital", isChecked: filter.onlyHospitals))</div></form>
    """
  }

  var nothingFound: HTML {
    """
    <div id="results"><p class="count" role="status">\(context.text("clinics.nothing-found"))</p>\
    \(context.emptyState(
        .glass, hint: "clinics.nothing-found.hint",
        actions: context.button("clinics.search.clear", to: context.request.path, style: .secondary)))</div>
    """
  }

  private var select: HTML {
    """
    <select id="specialization" name="specialization"><option value="">\
    \(context.text("clinics.specialization.any"))</option>\
    \(each: specializations, option)</select>
    """
  }

  /// The specializations by name.
  private var specializations: [(value: Specialization, name: String)] {
    offered.map { ($0, context.text($0.title)) }
      .sorted { SearchText($0.name) < SearchText($1.name) }
  }

  private func option(_ choice: (value: Specialization, name: String)) -> HTML {
    """
    <option value="\(choice.value.rawValue)"\
    \(attribute: " selected", if: choice.value == filter.specialization)>\(choice.name)</option>
    """
  }
}
