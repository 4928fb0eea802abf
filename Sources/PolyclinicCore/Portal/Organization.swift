extension Portal {
  /// The operator of the portal, from the administrator's configuration.
  public struct Organization: Sendable, Hashable {
    /// The organization's name.
    public let name: String
    /// The languages of the pages, at least one.
    public let languages: [Language]
    /// The default time zone.
    public let zone: Zone
    /// The country of the portal, by its ISO 3166-1 alpha-2 code; empty if it is unknown.
    public var country = ""
    /// The contact of the person responsible for the data; empty if none is named.
    public var contact = ""

    /// The text for visitors on the welcome page, by language; empty for the portal's own.
    public var welcome: [Language: String] = [:]
    /// The organization's own colour, such as `#0a6b6c`; empty for the portal's.
    public var accent = ""
    /// The path of the organization's own logo; empty for the portal's mark.
    public var logo = ""

    /// The language for visitors who request none of the ``languages``.
    public var defaultLanguage: Language { languages.first ?? .english }

    /// Creates an organization from the configuration.
    public init(name: String, languages: [Language], zone: Zone) {
      self.name = name
      self.languages = languages
      self.zone = zone
    }
  }
}
