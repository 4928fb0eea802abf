import PolyclinicCore

/// The card on the dashboard.
enum CovidCard {
  /// Returns the dashboard card with the latest report of the visitor's country; nil without
  /// figures.
  static func html(_ context: Context) throws -> HTML? {
    let country = try ChosenCountry.find(context)
    let figures = try FigureTables.find(country, in: context)
    guard let figures else { return nil }
    let views = try FigureViews(context)
    let fictional: HTML? =
      views.state.isFictional ? "<p class=\"muted\">\(context.text("share.fictional"))</p>" : nil
    return """
      <p>\(views.flag(country)) <bdi>\(CountryNames.name(country, in: context.language))</bdi></p>\
      <p class="figure">\(views.count(figures.latest.cases))</p>\
      <p class="muted">\(context.text("figure.new-cases")), \
      \(views.period(figures.latest, figures.rhythm))</p>\
      \(fictional)\(context.moreLink("card.more", to: CountryPage.path))
      """
  }
}
