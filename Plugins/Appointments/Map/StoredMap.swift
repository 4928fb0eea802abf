import PolyclinicCore

/// The map that an administrator has imported. It says nothing about people.
struct StoredMap: Sendable {
  /// The names of those who made the data; shown below the map.
  let attribution: String

  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_map (
      id_map \(.identity),
      attribution TEXT NOT NULL, imported_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    """
    CREATE TABLE appointments_map_cells (
      detail \(.integer) NOT NULL, level \(.integer) NOT NULL,
      cell_column \(.integer) NOT NULL, cell_row \(.integer) NOT NULL,
      features \(.bytes) NOT NULL,
      PRIMARY KEY (detail, level, cell_column, cell_row)
    ) \(.strict)
    """,
  ]

  /// Returns nil if no map was imported.
  static func find(in work: Work) throws -> StoredMap? {
    try work.row("SELECT attribution FROM appointments_map") {
      StoredMap(attribution: $0.string(0))
    }
  }

  /// Returns the features of a level of detail that may touch the rectangle.
  func features(
    within bounds: MapBounds, _ detail: MapDetail, in work: Work
  ) throws -> [MapFeature] {
    func cells(_ level: Int) -> SQL {
      let columns = MapCell.columns(of: bounds, level: level)
      let rows = MapCell.rows(of: bounds, level: level)
      return """
        SELECT features, level, cell_column, cell_row FROM appointments_map_cells
        WHERE detail = \(detail.rawValue) AND level = \(level)
          AND cell_column BETWEEN \(columns.lowerBound) AND \(columns.upperBound)
          AND cell_row BETWEEN \(rows.lowerBound) AND \(rows.upperBound)
        """
    }
    let all = (0...detail.finestCells).dropFirst().reduce(cells(0)) {
      "\($0) UNION ALL \(cells($1))"
    }
    var features: [MapFeature] = []
    try work.forEach("\(all) ORDER BY level, cell_column, cell_row") { row in
      var reader = ByteReader(row.bytes(0))
      while !reader.isAtEnd { features.append(try MapFeature(from: &reader)) }
    }
    return features
  }

  /// Removes the map. Returns false if there is none.
  static func remove(in work: Work) throws -> Bool {
    try work.run("DELETE FROM appointments_map_cells")
    return try work.runCounting("DELETE FROM appointments_map") > 0
  }

  /// Stores features in place of the earlier map.
  static func replace(with features: [MapFeature], attribution: String, in work: Work) throws {
    _ = try remove(in: work)
    try work.run(
      "INSERT INTO appointments_map (attribution, imported_at) VALUES (\(attribution), \(work.now))"
    )
    let streets = features.lazy.filter { $0.kind == .street }.reduce(0) { $0 + $1.pointCount }
    for detail in MapDetail.allCases {
      let thinning = detail.thinning
      var cells: [MapCell: ByteWriter] = [:]
      for feature in features where detail.shows(feature.kind, ofTownWithStreets: streets) {
        guard let feature = thinning.thinned(feature), let bounds = feature.bounds else { continue }
        feature.write(
          to: &cells[MapCell(containing: bounds, finest: detail.finestCells), default: ByteWriter()]
        )
      }
      for (cell, writer) in cells {
        try work.run(
          """
          INSERT INTO appointments_map_cells (detail, level, cell_column, cell_row, features)
          VALUES (\(detail.rawValue), \(cell.level), \(cell.column), \(cell.row), \(writer.bytes))
          """)
      }
    }
  }
}

extension MapFeature {
  /// Reads a feature. A kind of a later release is read as a street.
  fileprivate init(from reader: inout ByteReader) throws {
    kind = Kind(rawValue: try reader.byte()) ?? .street
    let (english, russian, hebrew) = (try reader.string(), try reader.string(), try reader.string())
    name = LocalizedText(english: english, russian: russian, hebrew: hebrew)
    lines = []
    for _ in 0..<(try reader.count()) {
      var line: [MapPoint] = []
      var (east, north) = (0, 0)
      for _ in 0..<(try reader.count()) {
        east += Int(try reader.integer())
        north += Int(try reader.integer())
        line.append(MapPoint(east: east, north: north))
      }
      lines.append(line)
    }
  }

  /// Writes each point as its distance from the one before.
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(kind.rawValue)
    for name in [name.english, name.russian, name.hebrew] { writer.write(name) }
    writer.write(count: lines.count)
    for line in lines {
      writer.write(count: line.count)
      var last = MapPoint(east: 0, north: 0)
      for point in line {
        writer.write(Int64(point.east - last.east))
        writer.write(Int64(point.north - last.north))
        last = point
      }
    }
  }
}
