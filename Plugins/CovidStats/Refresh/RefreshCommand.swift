import PolyclinicCore

extension CovidStatsModule {
  /// `polyclinic covid-stats refresh [--from FILE]`
  func refreshNow(_ portal: Portal, _ call: CommandCall) throws -> [String] {
    let refresh = Refresh(portal: portal)
    do {
      if let path = call.text("from") {
        let (source, figures) = try refresh.take(file: path)
        var lines = [
          "\(figures.countries.count) countries taken from the file, which is \(source.name)'s."
        ]
        if figures.leftOut > 0 {
          lines.append("\(figures.leftOut) rows are of no country, and were left out.")
        }
        return lines
      }
      try refresh.run()
      let count = try portal.database.read {
        try $0.integer("SELECT count(*) FROM covid_stats_countries")
      }
      return ["\(count ?? 0) countries fetched."]
    } catch let fault as SourceFault {
      throw CommandFailure("The file was not taken, and nothing has changed: \(fault)")
    } catch let failure as JobFailure {
      throw CommandFailure(failure.description)
    }
  }

  /// Tells the age of the figures where no refresh succeeds.
  func checkFigures(_ portal: Portal) throws -> String? {
    let state = try portal.database.read(RefreshState.find)
    if state.isFictional { return nil }
    guard let failure = state.failure, let since = state.failingSince else { return nil }
    let days = max(0, (portal.now - since).count) / 86_400
    let age = state.fetched.map { max(0, (portal.now - $0).count) / 86_400 }
    let stored = age.map { "the stored figures are \($0) days old" } ?? "no figures are stored"
    return """
      no refresh has succeeded for \(days) days (\(failure.rawValue)), and \(stored): see whether the \
      source can be reached from here, set a proxy, or run “polyclinic covid-stats refresh --from FILE”
      """
  }
}
