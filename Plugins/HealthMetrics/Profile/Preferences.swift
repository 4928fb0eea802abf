import PolyclinicCore

/// What a person has chosen once for all measurements.
struct Preferences: Resealable {
  /// In centimetres.
  var height: Double?
  /// What weights are shown in, and new ones begin with.
  var unit = Weight.Unit.kg
  /// The classes that blood pressure is described by.
  var scheme = PressureScheme.escHome
  /// The first day of a week of measuring at home; nil where there is none.
  var weekStart: CalendarDate?
  var unknown = UnknownFields()
}

extension Preferences {
  static let migration = Migration(
    "0003-preferences",
    """
    CREATE TABLE health_metrics_preferences (
      person \(.person), sealed \(.bytes) NOT NULL, PRIMARY KEY (person)
    ) \(.strict)
    """)

  /// The fields of the page.
  static let form = Form(
    Preferences(),
    .choice(\.unit, "unit", hint: "preferences.unit.hint"),
    .choice(\.scheme, "scheme", hint: "preferences.scheme.hint"))

  private static let stored = Form(
    Preferences(), heightField(\.height), .choice(\.unit, "unit"), .choice(\.scheme, "scheme"),
    .date(\.weekStart, "week_start"))

  private static let slot = Slot("health_metrics_preferences.sealed", stored)

  /// In centimetres: the tallest person known was 272.
  static func heightField<Draft>(
    _ height: WritableKeyPath<Draft, Double?> & Sendable
  ) -> Field<Draft> {
    .decimal(height, "height", in: 30...272, hint: "field.height.hint")
  }

  /// What the person has chosen, or what holds where nothing was.
  static func find(by keys: Keys, on connection: Connection) throws -> Preferences {
    try connection.row(
      "SELECT sealed FROM health_metrics_preferences WHERE person = \(keys.person)"
    ) { try slot.open($0.sealed(0), row: keys.person, by: keys) } ?? Preferences()
  }

  func save(by keys: Keys, on connection: Connection) throws {
    let sealed = try Self.slot.seal(self, row: keys.person, by: keys)
    try connection.run(
      """
      INSERT INTO health_metrics_preferences (person, sealed) VALUES (\(keys.person), \(sealed))
      ON CONFLICT (person) DO UPDATE SET sealed = excluded.sealed
      """)
  }

  /// Keeps the unit that was used last.
  static func remember(_ unit: Weight.Unit, by keys: Keys, on connection: Connection) throws {
    var preferences = try find(by: keys, on: connection)
    guard preferences.unit != unit else { return }
    preferences.unit = unit
    try preferences.save(by: keys, on: connection)
  }

  /// Writes the preferences into the person's copy of all data.
  @Sendable
  static func export(_ keys: Keys, _ connection: Connection, _ copy: JSONWriter) throws {
    try copy.write("preferences", stored.json(find(by: keys, on: connection)))
  }
}

extension HealthMetricsModule {
  func loadPreferences(_ context: Context) throws -> Preferences {
    try context.database.read { try Preferences.find(by: context.keys, on: $0) }
  }

  func savePreferences(
    _ preferences: Preferences, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let keys = try context.keys
    // What other pages have changed of it since the form was read stays.
    var stored = try Preferences.find(by: keys, on: connection)
    (stored.unit, stored.scheme) = (preferences.unit, preferences.scheme)
    try stored.save(by: keys, on: connection)
    return ""
  }
}

/// One's height in registration and profile.
struct HeightPart: ProfilePart {
  struct Draft: Sendable {
    /// In centimetres.
    var height: Double?
  }

  var title: Text { "height.title" }

  let form = Form(Draft(), Preferences.heightField(\.height))

  func load(by keys: Keys, on connection: Connection) throws -> Draft {
    Draft(height: try Preferences.find(by: keys, on: connection).height)
  }

  func save(_ draft: Draft, by keys: Keys, on connection: Connection) throws {
    var preferences = try Preferences.find(by: keys, on: connection)
    guard preferences.height != draft.height else { return }
    preferences.height = draft.height
    try preferences.save(by: keys, on: connection)
  }
}
