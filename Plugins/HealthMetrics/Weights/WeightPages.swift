import PolyclinicCore

/// The pages of weights: the list, one weight, and the start and the saving of the form.
enum WeightPages {
  /// A new weight with the current time and the unit of the preferences.
  static func start(_ context: Context) throws -> Weight {
    var weight = Weight()
    weight.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    weight.unit = try Preferences.find(in: context).unit
    return weight
  }

  static func create(
    _ weight: Weight, _ context: Context
  ) throws -> Path {
    try Preferences.remember(weight.unit, in: context)
    return try Weight.create(weight, context)
  }

  static func list(_ context: Context) throws -> Response {
    let unit = try Preferences.find(in: context).unit
    let person = try Physique(context.portal, in: context)
    let list = MeasurementList(
      kind: .weights,
      found: try MeasurementSelection(
        context.request.query, of: Weight.index, in: context.formats.timeZone, in: context),
      notice: try Weight.records.undoNotice(context), context: context,
      hint: MetricsViews.heightHint(person, context)
    ) { entry in
      let note: HTML? = entry.note.isEmpty ? nil : " · <bdi>\(utf8: entry.note)</bdi>"
      return """
        <strong>\(MetricsViews.weight(entry, in: unit, context))</strong>\
        <span class="secondary-text">\(context.formats.dateTime(entry.time.local))\(note)</span>
        """
    }
    return .page(list.page)
  }

  static func show(_ context: Context) throws -> Response {
    let weight = try Weight.records.load(context)
    let details = WeightPage(
      id: try context.id(), weight: weight,
      person: try Physique(context.portal, in: context), context: context)
    return .page(details.page)
  }
}
