import PolyclinicCore

/// The country whose figures somebody looks at.
struct ChosenCountry: Resealable {
  var country = ""
  var unknown = UnknownFields()

  static let migration = Migration(
    "0003-choices",
    """
    CREATE TABLE covid_stats_choices (
      person \(.person), sealed \(.bytes) NOT NULL, PRIMARY KEY (person)
    ) \(.strict)
    """)

  private static let form = Form(ChosenCountry(), .text(\.country, "country", limit: 2))
  private static let slot = Slot("covid_stats_choices.sealed", form)

  /// The country that the address names, else the choice.
  static func shown(_ context: Context) throws -> String {
    let asked = context.request.query["country"]
    return Figures.isCountry(asked) ? asked : try find(context)
  }

  /// The choice of the account, else of the browser, else of the administrator.
  static func find(_ context: Context) throws -> String {
    let chosen =
      context.visitor == nil
      ? context.keptInBrowser("country")
      : try context.database.read { try find(by: context.keys, on: $0)?.country }
    if let chosen, Figures.isCountry(chosen) { return chosen }
    return try context.portal.settings.text("country")
  }

  static func find(by keys: Keys, on connection: Connection) throws -> ChosenCountry? {
    try connection.row("SELECT sealed FROM covid_stats_choices WHERE person = \(keys.person)") {
      try slot.open($0.sealed(0), row: keys.person, by: keys)
    }
  }

  func save(by keys: Keys, on connection: Connection) throws {
    let sealed = try Self.slot.seal(self, row: keys.person, by: keys)
    try connection.run(
      """
      INSERT INTO covid_stats_choices (person, sealed) VALUES (\(keys.person), \(sealed))
      ON CONFLICT (person) DO UPDATE SET sealed = excluded.sealed
      """)
  }

  @Sendable
  static func export(_ keys: Keys, _ connection: Connection, _ copy: JSONWriter) throws {
    guard let chosen = try find(by: keys, on: connection) else { return }
    try copy.write("country", .string(chosen.country))
  }
}

extension CovidStatsModule {
  func chooseCountry(_ context: Context) throws -> Response {
    let code = context.request.fields["country"]
    guard Figures.isCountry(code) else { throw Refusal.notFound }
    if context.visitor == nil {
      context.keepInBrowser(code, as: "country")
    } else {
      try context.database.write {
        try ChosenCountry(country: code).save(by: context.keys, on: $0)
      }
    }
    return .redirect(to: "/covid-stats")
  }
}
