/// Whose portal this is, as the administrator says in the configuration.
public struct Organization: Sendable, Hashable {
  /// What it is called.
  public let name: String
  /// The languages that pages are shown in; at least one.
  public let languages: [Language]
  /// Whose clocks hold where nothing else is said.
  public let zone: Zone
  /// How to reach whoever answers for the data; empty where nobody is named.
  public let contact: String

  /// For those who ask for none of the ``languages``.
  public var defaultLanguage: Language { languages.first ?? .english }

  /// As the configuration says.
  public init(name: String, languages: [Language], zone: Zone, contact: String) {
    self.name = name
    self.languages = languages
    self.zone = zone
    self.contact = contact
  }
}
