import PolyclinicCore

extension Refresh {
  /// Runs `polyclinic covid-stats refresh [--from FILE]`.
  static func now(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let refresh = Refresh(portal: portal)
    do {
      if let content = call.file("from") {
        let file = try UnnamedFile()
        try file.handle.write(contentsOf: content)
        let (source, figures) = try refresh.take(file: file.path)
        var lines = [
          "\(figures.countries.count) countries taken from the file, which is \(source.name)'s."
        ]
        if figures.leftOut > 0 {
          lines.append("\(figures.leftOut) rows are of no country, and were left out.")
        }
        return lines
      }
      try refresh.run()
      let count = try portal.read {
        try $0.integer("SELECT count(*) FROM covid_stats_countries")
      }
      return ["\(count ?? 0) countries fetched."]
    } catch let fault as SourceFault {
      throw Command.Failure("The file was not taken, and nothing has changed: \(fault)")
    } catch let failed as RefreshFailed {
      throw Command.Failure("The file was not taken, and nothing has changed: \(failed)")
    } catch let failure as Job.Failure {
      throw Command.Failure(failure.description)
    }
  }
}
