import PolyclinicCore

/// The search form for clinics.
struct ClinicFilterForm {
  let filter: ClinicFilter
  /// The specializations to choose from.
  private let offered: Set<Specialization>
  /// Corrections of the words if they find no clinic.
  private let corrections: [String]
  private let context: Context

  init(
    _ filter: ClinicFilter, offering offered: Set<Specialization>, correcting corrections: [String],
    _ context: Context
  ) {
    self.filter = filter
    self.offered = offered
    self.corrections = corrections
    self.context = context
  }

  var html: HTML {
    let form = FilterForm(
      path: context.request.path, label: "clinics.search.label", words: filter.words,
      context: context)
    return form.html(
      """
      \(form.specializations(
        "clinics.specialization", any: "clinics.specialization.any", offered,
        chosen: filter.specialization))\
      \(context.checkBox(
        "clinics.pediatric", name: "pediatric", isChecked: filter.onlyPediatric))\
      \(context.checkBox("clinics.hospital", name: "hospital", isChecked: filter.onlyHospitals))
      """)
  }

  /// The message that no clinic matches, with corrections of the words.
  var nothingFound: HTML {
    let emergency = SearchSentence.emergencyNotice(
      for: filter.words, findingNothing: true, context)
    return """
      <div id="results">\(emergency)\(context.resultCount("clinics.nothing-found"))\
      \(SimilarSearches.html(corrections, at: context.request.path, context))\
      \(context.emptyState(
        .glass, hint: "clinics.nothing-found.hint",
        actions: context.button("clinics.search.clear", to: context.request.path, style: .secondary)))</div>
      """
  }
}
