import PolyclinicCore

/// A person's settings for all measurements.
struct Preferences: Resealable {
  /// The height in centimetres.
  var height: Double?
  /// The unit that weights are shown in, and the default for new ones.
  var unit = Weight.Unit.kg
  /// The classes that the person has chosen for blood pressure; see ``classes(_:)``.
  var scheme = PressureScheme.escHome
  /// True if the person says that they are treated for high blood pressure, so that the targets of a
  /// treatment concern them.
  var isTreated = false
  /// The first day of a week of home measurements; nil if there is none.
  var weekStart: CalendarDate?
  var unknown = Sealed.UnknownFields()
}

extension Preferences {
  /// The fields of the preferences page.
  static let form = Form(
    Preferences(),
    .choice(\.unit, "unit", hint: "preferences.unit.hint"),
    .choice(\.scheme, "scheme", hint: "preferences.scheme.hint"),
    .check(\.isTreated, "treated", hint: "preferences.treated.hint"))

  private static let stored = Form(
    Preferences(), heightField(\.height), .choice(\.unit, "unit"), .choice(\.scheme, "scheme"),
    .check(\.isTreated, "treated"), .date(\.weekStart, "week_start"))

  static let value = PersonalValue("health_metrics_preferences", stored)

  /// A field for the height in centimetres. The limit is the tallest known person's height, 272 cm.
  static func heightField<Draft>(
    _ height: WritableKeyPath<Draft, Double?> & Sendable
  ) -> Field<Draft> {
    .decimal(height, "height", in: 30...272, hint: "field.height.hint")
  }

  /// Returns the person's preferences, or the defaults.
  static func find(in work: Work) throws -> Preferences {
    try value.find(in: work) ?? Preferences()
  }

  /// Returns the classes for the person's readings, which a child has not.
  func classes(_ context: Context) throws -> PressureScheme {
    let person = Physique(
      height: height, birthDate: try context.portal.people.birthDate(in: context))
    return person.isChild(on: context.today) ? .children : scheme
  }

  func save(in work: Work) throws { try Self.value.save(self, in: work) }

  /// Stores the unit of a person's first weight. A later one in another unit, such as that of a
  /// hotel's scale, changes no preference.
  static func remember(_ unit: Weight.Unit, in work: Work) throws {
    var preferences = try find(in: work)
    guard preferences.unit != unit,
      try Weight.index.page(1, in: work).isEmpty
    else { return }
    preferences.unit = unit
    try preferences.save(in: work)
  }

  /// Writes the preferences to the person's data export.
  @Sendable
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    try copy.write("preferences", stored.json(find(in: work)))
  }
}

/// The form of the preferences.
struct PreferencesForm: RoutedForm {
  static let address: Address<Void> = "/health-metrics/preferences"
  static let title: Text = "preferences.title"
  static let form = Preferences.form
  static let cancel = Overview.path
  static let isVersioned = true

  let start: Preferences

  init(_ context: Context) throws { start = try Preferences.find(in: context) }

  func save(_ preferences: Preferences, in context: Context) throws -> Redirect {
    // Changes only the fields of this form, so that changes by other pages since the form was
    // loaded are kept.
    var stored = start
    (stored.unit, stored.scheme) = (preferences.unit, preferences.scheme)
    stored.isTreated = preferences.isTreated
    try stored.save(in: context)
    return Redirect(to: Overview.path)
  }
}

/// The height, as a part of the registration and the profile.
struct HeightPart: ProfilePart {
  struct Draft: Sendable {
    /// The height in centimetres.
    var height: Double?
  }

  var title: Text { "height.title" }

  let form = Form(Draft(), Preferences.heightField(\.height))

  func load(in work: Work) throws -> Draft {
    Draft(height: try Preferences.find(in: work).height)
  }

  func save(_ draft: Draft, in work: Work) throws {
    var preferences = try Preferences.find(in: work)
    guard preferences.height != draft.height else { return }
    preferences.height = draft.height
    try preferences.save(in: work)
  }
}
