import PolyclinicCore

/// The commands by which an administrator imports and removes the map.
extension StoredMap {
  static let importCommand = Command(
    "import-map", "Draw the map of clinics on streets, water and green from a file.",
    .argument(
      "file", "GeoJSON with OpenStreetMap's tags; see docs/data.md.", as: .file),
    .option("attribution", "The makers of the data, shown below the map."),
    .flag("dry-run", "Say what the file contains, and change nothing."),
    run: runImport)

  static let removalCommand = Command(
    "remove-map", "Remove the imported map; clinics stay.", run: runRemoval)

  private static let attributionLimit = 200

  /// Imports the whole file in one transaction, or nothing if any feature is invalid.
  @Sendable
  private static func runImport(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let file: MapFile
    do { file = try MapFile(call.file("file") ?? []) } catch let error as MapFileError {
      throw Command.Failure("Nothing was imported: \(error)")
    }
    let attribution = call.text("attribution") ?? ""
    guard attribution.unicodeScalars.count <= attributionLimit else {
      throw Command.Failure(
        "Nothing was imported: the attribution is longer than \(attributionLimit) characters.")
    }
    let report = report(of: file)
    if call.has("dry-run") { return report + ["This was a dry run: nothing was stored."] }
    try portal.write { work in
      try replace(with: file.features, attribution: attribution, in: work)
    }
    let hint = "No attribution is shown. Name the makers of the data with --attribution."
    return attribution.isEmpty ? report + [hint] : report
  }

  @Sendable
  private static func runRemoval(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let wasThere = try portal.write { try remove(in: $0) }
    return [wasThere ? "The map was removed." : "There is no imported map."]
  }

  private static func report(of file: MapFile) -> [String] {
    func count(_ kinds: MapFeature.Kind...) -> Int {
      file.features.count { kinds.contains($0.kind) }
    }
    return [
      """
      Map: \(count(.water, .river)) waters, \(count(.green)) green areas, \
      \(count(.mainRoad, .mainStreet, .street)) streets, \(count(.railway)) railways, \
      \(count(.district)) district borders, \(count(.town, .place)) names of places.
      """,
      "Other features, which the map does not show: \(file.skipped).",
    ]
  }
}
