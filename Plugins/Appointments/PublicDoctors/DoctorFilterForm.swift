import PolyclinicCore

/// The search form of the list of doctors.
struct DoctorFilterForm {
  let found: FoundDoctors
  let context: Context

  private var filter: DoctorFilter { found.filter }

  var html: HTML {
    """
    <form class="search" role="search" method="get" action="/appointments/doctors" data-live>\
    <label for="q">\(context.text("find.label"))</label>\
    <input type="search" id="q" name="q" value="\(filter.words)" autocomplete="off" \
    maxlength="200">\
    \(context.submit("clinics.search", style: .secondary))\
    <div class="filters">\
    \(select("specialization", "doctors.any", specializations, filter.specialization?.rawValue))\
    \(select("clinic", "doctors.any-clinic", clinics, filter.clinic?.description))\
    \(context.field("find.sort", id: "sort", order))\
    \(context.checkBox("doctors.available", name: "available", isChecked: filter.onlyAvailable))\
    </div></form>
    """
  }

  /// The specializations of the listed doctors, by name.
  private var specializations: [(value: String, name: String)] {
    Set(found.listed.map(\.specialization)).map { ($0.rawValue, context.text($0.title)) }
  }

  /// The clinics of the listed doctors, by name.
  private var clinics: [(value: String, name: String)] {
    var names: [ID<Clinic>: String] = [:]
    for clinic in found.listed.map(\.placement.clinic) {
      names[clinic.id] = clinic.name.string(in: context.language)
    }
    return names.map { ($0.key.description, $0.value) }
  }

  private var order: HTML {
    """
    <select id="sort" name="sort">\(each: DoctorFilter.Order.allCases, { order in
      option(order.rawValue, context.text(Text("find.sort.\(order.rawValue)")), filter.order.rawValue)
    })</select>
    """
  }

  private func select(
    _ name: StaticString, _ any: Text, _ choices: [(value: String, name: String)],
    _ chosen: String?
  ) -> HTML {
    let sorted = choices.map { (choice: $0, order: (SearchText($0.name), $0.value)) }
      .sorted { $0.order < $1.order }
    return context.field(
      Text("doctors.\(name)"), id: name.description,
      """
      <select id="\(name)" name="\(name)"><option value="">\(context.text(any))</option>\
      \(each: sorted, { option($0.choice.value, $0.choice.name, chosen) })</select>
      """)
  }

  private func option(_ value: String, _ name: String, _ chosen: String?) -> HTML {
    """
    <option value="\(value)"\(attribute: " selected", if: value == chosen)>\(name)</option>
    """
  }
}
