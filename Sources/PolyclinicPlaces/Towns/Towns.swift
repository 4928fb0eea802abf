import PolyclinicCore

/// The towns of the world with their positions, offered by the portal itself.
public protocol Towns: Capability {
  /// Returns the gazetteer, which is read at first use and without a request to any other server.
  func gazetteer() throws -> Gazetteer
  /// Returns the names of a country's largest towns, in a language, for browsers without scripts.
  func largest(in country: String, language: Language, limit: Int) -> [String]
}

extension Portal {
  /// The positions of towns; an empty gazetteer if the portal offers none.
  public var gazetteer: Gazetteer {
    get throws { try find((any Towns).self)?.gazetteer() ?? Gazetteer([]) }
  }
}
