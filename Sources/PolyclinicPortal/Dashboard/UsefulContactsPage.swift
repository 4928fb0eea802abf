import PolyclinicCore
import PolyclinicPlaces

extension DashboardModule {
  /// The useful contacts of all countries. It needs no account, because it has the emergency
  /// numbers.
  func showUsefulContacts(_ context: Context) -> Response {
    let countries = context.portal.usefulContacts.countries
      .map { (code: $0, name: context.usefulContactsName(of: $0)) }
      .sorted { SearchText($0.name) < SearchText($1.name) }
    return .page(
      Page(
        "useful-contacts.title",
        """
        <p class="lead">\(context.text("useful-contacts.lead"))</p>\(each: countries, { country in
          "<h2>\(country.name)</h2>\(context.usefulContacts(of: country.code))"
        })
        """))
  }
}
