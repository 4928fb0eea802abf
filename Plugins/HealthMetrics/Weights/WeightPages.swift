import PolyclinicCore

/// The list of a person's weights.
struct WeightList: RoutedPage {
  static let address = Weight.pages.list
  static let linkTitle: Text? = "weights.title"

  private let list: MeasurementList<Weight.Entry>

  init(_ context: Context) throws {
    let unit = try Preferences.find(in: context).unit
    let person = try Physique(context.portal, in: context)
    list = MeasurementList(
      found: try MeasurementSelection(
        context.request.query, of: Weight.index, in: context.formats.timeZone, in: context),
      notice: try Weight.records.undoNotice(context), context: context,
      hint: try person.heightHint(context),
      rows: { entries in
        entries.map { entry in
          let note: HTML? = entry.note.isEmpty ? nil : " · <bdi>\(utf8: entry.note)</bdi>"
          return .row(
            to: WeightPage.path(entry.id),
            content: """
              <strong>\(entry.html(in: unit, context))</strong>\
              <span class="secondary-text">\(context.formats.dateTime(entry.time.local))\(note)</span>
              """)
        }
      })
  }

  var page: Page { list.page }
}

/// The form for a new weight.
struct NewWeight: RoutedForm {
  static let address = Weight.pages.new
  static let title: Text = "weight.new"
  static let form = Weight.form
  static let cancel = WeightList.path
  static var route: Route { Route(Self.self).saying("weight.saved") }

  /// A weight with the current time and the unit of the preferences.
  let start: Weight

  init(_ context: Context) throws {
    var weight = Weight()
    weight.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    weight.unit = try Preferences.find(in: context).unit
    start = weight
  }

  func save(_ weight: Weight, in context: Context) throws -> Redirect {
    try Preferences.remember(weight.unit, in: context)
    return Redirect(to: try Weight.create(weight, context))
  }
}
