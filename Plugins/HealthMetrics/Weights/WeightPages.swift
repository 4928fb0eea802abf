import PolyclinicCore

/// The pages of weights: the list, one weight, and the start and the saving of the form.
enum WeightPages {
  /// A new weight with the current time and the unit of the preferences.
  static func start(_ context: Context) throws -> Weight {
    var weight = Weight()
    weight.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    weight.unit = try context.database.read { try Preferences.find(by: context.keys, on: $0).unit }
    return weight
  }

  static func create(
    _ weight: Weight, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try Preferences.remember(weight.unit, by: context.keys, on: connection)
    return try Weight.create(weight, context, connection)
  }

  static func list(_ context: Context) throws -> Response {
    let keys = try context.keys
    return try context.database.read { connection in
      let unit = try Preferences.find(by: keys, on: connection).unit
      let person = try Physique(by: keys, context.portal, on: connection)
      let list = MeasurementList(
        kind: .weights,
        found: try MeasurementSelection(
          context.request.query, of: Weight.index, in: context.formats.timeZone, by: keys,
          on: connection),
        notice: try Weight.records.undoNotice(context, on: connection), context: context,
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
  }

  static func show(_ context: Context) throws -> Response {
    let weight = try Weight.records.load(context)
    let keys = try context.keys
    return try context.database.read { connection in
      let details = WeightPage(
        id: try context.id(), weight: weight,
        person: try Physique(by: keys, context.portal, on: connection), context: context)
      return .page(details.page)
    }
  }
}
