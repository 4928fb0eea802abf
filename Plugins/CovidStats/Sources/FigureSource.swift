import PolyclinicCore

/// A publisher of figures and the reader of its files.
protocol FigureSource: Sendable {
  /// The value of the setting `source`.
  var name: String { get }
  /// The publisher's name, as shown on pages.
  var publisher: Text { get }
  /// The publisher's web page with more information.
  var home: String { get }
  /// The addresses of the files, in the order of the first argument of ``read(_:until:)``.
  var addresses: [String] { get }
  /// True if the source has recovered and active cases.
  var reportsRecovered: Bool { get }
  /// True if a 0 of this source can also mean that nothing was reported.
  var confusesZero: Bool { get }
  /// Reads the downloaded files, one for each address. Throws ``SourceFault``, also for a day after
  /// `last`.
  func read(_ files: [String], until last: CalendarDate) throws -> Figures
}

extension FigureSource {
  var confusesZero: Bool { false }
  var reportsRecovered: Bool { false }
}

/// The sources that the setting `source` can name.
extension Figures {
  static let sources: [any FigureSource] = [WHOSource(), OWIDSource(), DiseaseShSource()]

  static func source(named name: String) -> (any FigureSource)? {
    sources.first { $0.name.isIdentical(to: name) }
  }
}
