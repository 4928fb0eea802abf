import PolyclinicCore

/// The boxes by which clinics are looked for.
struct ClinicFilterForm {
  let filter: ClinicFilter
  let context: Context

  init(_ filter: ClinicFilter, _ context: Context) {
    self.filter = filter
    self.context = context
  }

  var html: HTML {
    """
    <form class="search" role="search" method="get" action="\(context.request.path)" data-live>\
    <label for="q">\(context.text("clinics.search.label"))</label>\
    <input type="search" id="q" name="q" value="\(filter.words)" autocomplete="off" \
    maxlength="200">\
    <button class="button secondary">\(context.text("clinics.search"))</button>\
    <div class="filters"><div class="field"><label for="specialization">\
    \(context.text("clinics.specialization"))</label>\
    <select id="specialization" name="specialization"><option value="">\
    \(context.text("clinics.specialization.any"))</option>\
    \(each: Specialization.sorted(context), option)</select></div>\
    \(box("pediatric", "clinics.pediatric", filter.onlyPediatric))\
    \(box("hospital", "clinics.hospital", filter.onlyHospitals))</div></form>
    """
  }

  var nothingFound: HTML {
    """
    <div id="results"><p class="count" role="status">\(context.text("clinics.nothing-found"))</p>\
    <section class="empty">\(context.icon(.glass))<p>\(context.text("clinics.nothing-found.hint"))\
    </p><p class="actions"><a class="button secondary" href="\(context.request.path)">\
    \(context.text("clinics.search.clear"))</a></p></section></div>
    """
  }

  private func option(_ choice: (value: Specialization, name: String)) -> HTML {
    """
    <option value="\(choice.value.rawValue)"\
    \(attribute: " selected", if: choice.value == filter.specialization)>\(choice.name)</option>
    """
  }

  private func box(_ name: StaticString, _ label: Text, _ isTicked: Bool) -> HTML {
    """
    <div class="field check"><input type="checkbox" id="\(name)" name="\(name)" value="1"\
    \(attribute: " checked", if: isTicked)><label for="\(name)">\(context.text(label))</label></div>
    """
  }
}

extension Specialization {
  /// All of them in the order of their names.
  static func sorted(_ context: Context) -> [(value: Specialization, name: String)] {
    allCases.map { ($0, context.text($0.title)) }
      .sorted { SearchText($0.name) < SearchText($1.name) }
  }
}
