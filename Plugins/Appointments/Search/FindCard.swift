import PolyclinicCore

/// The card for visitors who have not signed in: a search field, and how to reach the clinics.
enum FindCard {
  /// Returns the card; nil for visitors who have signed in, and while there is no clinic.
  static func card(_ context: Context) throws -> HTML? {
    if context.visitor != nil { return nil }
    return try ClinicOverview(context).map { "\(search(context))\($0.html)" }
  }

  private static func search(_ context: Context) -> HTML {
    """
    \(context.searchForm(
      at: DoctorList.path, "find.label", submit: "clinics.search", style: []))\
    \(actions: examples(context) + [
      context.button(
        "nearest.title", to: NearestClinics.address.path, style: [.secondary, .small], icon: .pin)
    ])
    """
  }

  /// Searches that show what the field understands: everyday words and a complaint. They name no day,
  /// on which nobody may have a free time.
  private static let examples: [Text] = [
    "find.example.child", "find.example.dentist", "find.example.back",
  ]

  private static func examples(_ context: Context) -> [HTML] {
    examples.map { example in
      context.button(
        example, to: DoctorList.path.query(["q": context.text(example)]),
        style: [.secondary, .small])
    }
  }
}

/// The telephone numbers and the opening hours of a few clinics, for visitors whose own clinic is
/// unknown.
struct ClinicOverview {
  private let shown: [FoundClinic]
  /// The number of all clinics.
  private let count: Int
  private let context: Context

  /// The maximum number of clinics that are shown.
  private static let most = 3

  /// Loads the clinics; nil if there are none.
  init?(_ context: Context) throws {
    let clinics = try Clinic.open(in: context).map { FoundClinic($0) }
      .byName(in: context.language).startingWithHost(of: context.portal)
    if clinics.isEmpty { return nil }
    shown = try clinics.prefix(Self.most).withOpeningHours(context)
    count = clinics.count
    self.context = context
  }

  var html: HTML {
    count == 1
      ? "\(each: shown, facts)"
      : "<h3>\(context.text("clinics.title"))</h3>\(rows: shown, row)\(all)"
  }

  /// The link to all clinics; nil if all are shown.
  private var all: HTML? {
    count <= Self.most
      ? nil : context.moreLink(Text("find.clinics.all", count: count), to: ClinicSearch.path)
  }

  private func link(_ clinic: Clinic) -> HTML {
    """
    <a href="\(ClinicPage.path(clinic.id))"><bdi>\(clinic.name.string(in: context.language))</bdi></a>
    """
  }

  /// Returns the hours and the telephone number of the only clinic.
  private func facts(_ found: FoundClinic) -> HTML {
    let hours = found.opening.flatMap { opening in
      opening.hours.isEmpty ? nil : HTML.Fact("clinic.hours", values: opening.lines(context))
    }
    return """
      <h3>\(link(found.clinic)) \(found.opening?.badge(context))</h3>\
      \(context.facts([
        HTML.Fact("clinic.address", found.clinic.addressLine(context)),
        HTML.Fact("clinic.phone", found.clinic.phoneLink), hours,
      ]))
      """
  }

  private func row(_ found: FoundClinic) -> HTML {
    .row(
      content: """
        <strong>\(link(found.clinic))</strong> \(found.opening?.badge(context))\
        <span class="secondary-text">\(found.clinic.addressLine(context))</span>\
        <span class="secondary-text">\(found.clinic.phoneLink)</span>
        """)
  }
}

extension [FoundClinic] {
  /// Returns the clinic that hosts the portal, which has the portal's name, before all others.
  fileprivate func startingWithHost(of portal: Portal) -> [FoundClinic] {
    let name = portal.clinic.name
    func isHost(_ found: FoundClinic) -> Bool {
      Language.allCases.contains { found.clinic.name.string(in: $0).isIdentical(to: name) }
    }
    return filter(isHost) + filter { !isHost($0) }
  }
}
