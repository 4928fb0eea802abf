import PolyclinicCore

/// The search form of the list of doctors.
struct DoctorFilterForm {
  let found: FoundDoctors
  let context: Context

  private var filter: DoctorFilter { found.filter }

  var html: HTML {
    let form = FilterForm(
      path: "/appointments/doctors", label: "find.label", words: filter.words, context: context)
    return form.html(
      """
      \(form.specializations(
        "doctors.specialization", any: "doctors.any", Set(found.listed.map(\.specialization)),
        chosen: filter.specialization))\
      \(form.select(
        "doctors.clinic", "clinic", any: "doctors.any-clinic", clinics,
        chosen: filter.clinic?.description))\
      \(form.select("find.sort", "sort", orders, chosen: filter.order.rawValue))\
      \(context.checkBox("doctors.available", name: "available", isChecked: filter.onlyAvailable,
        hint: "doctors.available.hint"))
      """)
  }

  /// The clinics of the listed doctors.
  private var clinics: [(value: String, name: String)] {
    var names: [ID<Clinic>: String] = [:]
    for clinic in found.listed.map(\.placement.clinic) {
      names[clinic.id] = clinic.name.string(in: context.language)
    }
    return names.map { ($0.key.description, $0.value) }
  }

  private var orders: [(value: String, name: String)] {
    DoctorFilter.Order.allCases.map {
      ($0.rawValue, context.text(Text("find.sort.\($0.rawValue)")))
    }
  }
}
