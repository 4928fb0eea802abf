import PolyclinicCore

/// Who publishes figures, and how they are read.
protocol FigureSource: Sendable {
  /// The word of the setting.
  var name: String { get }
  /// The publisher, as pages name it.
  var publisher: Text { get }
  /// The page of the publisher where people read on.
  var home: String { get }
  /// What is asked for, in the order in which ``read(_:)`` gets it.
  var addresses: [String] { get }
  /// True where a 0 also stands for what was not reported.
  var confusesZero: Bool { get }
  /// Reads what was fetched, a file for each address; throws ``SourceFault``, also for a day after the last
  /// one that figures can be of.
  func read(_ files: [String], until last: CalendarDate) throws -> Figures
}

extension FigureSource {
  var confusesZero: Bool { false }
}

/// The sources that the setting `source` chooses from.
enum FigureSources {
  static let all: [any FigureSource] = [WHOSource(), OWIDSource(), DiseaseShSource()]

  static func named(_ name: String) -> (any FigureSource)? {
    all.first { $0.name.isIdentical(to: name) }
  }
}
