import PolyclinicCore

extension HealthMetricsModule {
  var weightRoutes: [Route] {
    [
      .get("weights", listWeights),
      .form(
        "weights/new", Weight.form, title: "weight.new", cancel: "weights", start: startWeight,
        save: createWeight),
      .get("weights/chart", chartWeights),
      .get("weights/export.csv", exportWeights),
      .get("weights/{id}", showWeight),
      .form(
        "weights/{id}/edit", Weight.form, title: "weight.edit", cancel: "weights/{id}",
        load: Weight.records.load, save: updateWeight),
      .delete(
        "weights/{id}/delete", Weight.records, cancel: "weights/{id}", list: "weights"),
    ]
  }

  static var weightWords: Catalog {
    Catalog(
      en: [PackageResources.weights_en_json], ru: [PackageResources.weights_ru_json],
      he: [PackageResources.weights_he_json])
  }

  /// Now, in the unit that was used last.
  func startWeight(_ context: Context) throws -> Weight {
    var weight = Weight()
    weight.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    weight.unit = try context.database.read { try Preferences.find(by: context.keys, on: $0).unit }
    return weight
  }

  func createWeight(
    _ weight: Weight, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try MeasuredTime.requirePast(weight.measuredAt, at: context.now)
    try Preferences.remember(weight.unit, by: context.keys, on: connection)
    let id = try Weight.records.insert(weight, at: context.now, by: context.keys, on: connection)
    return "weights/\(id)"
  }

  func updateWeight(
    _ weight: Weight, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try MeasuredTime.requirePast(weight.measuredAt, at: context.now)
    let id: ID<Weight> = try context.id()
    try Weight.records.replace(id, with: weight, by: context.keys, on: connection)
    return "weights/\(id)"
  }

  func listWeights(_ context: Context) throws -> Response {
    let keys = try context.keys
    return try context.database.read { connection in
      let list = WeightList(
        found: try Weight.index.page(context.request.query.page, by: keys, on: connection),
        unit: try Preferences.find(by: keys, on: connection).unit,
        notice: try Weight.records.undoNotice(context, on: connection), context: context)
      return .page(list.page)
    }
  }

  func showWeight(_ context: Context) throws -> Response {
    let weight = try Weight.records.load(context)
    let keys = try context.keys
    return try context.database.read { connection in
      let details = WeightDetails(
        id: try context.id(), weight: weight,
        person: try Physique(by: keys, context.portal, on: connection), context: context)
      return .page(details.page)
    }
  }
}
