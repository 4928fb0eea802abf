import PolyclinicCore

/// What of a doctor's time is claimed, a bit for each grain, in stretches of sixty grains.
///
/// The database itself derives it from the grains, whoever claims them or gives them back, and also where
/// they go with a person who is erased: so a month is a few dozen rows, however much is booked.
struct ClaimedTime: Sendable {
  /// As many bits as a number has without its sign, to a whole hour.
  private static let grainsInStretch: Int64 = 60

  private let first: Int64
  private let stretches: [UInt64]

  /// Stretches by number, in order, each with the bits of its grains.
  init(_ rows: [(number: Int64, grains: Int64)]) {
    guard let first = rows.first?.number, let last = rows.last?.number else {
      (first, stretches) = (0, [])
      return
    }
    var stretches = [UInt64](repeating: 0, count: Int(last - first) + 1)
    for row in rows { stretches[Int(row.number - first)] = UInt64(bitPattern: row.grains) }
    self.first = first
    self.stretches = stretches
  }

  /// Whether one of these grains is claimed.
  func contains(anyOf grains: Range<Int64>) -> Bool {
    if stretches.isEmpty { return false }
    var grain = grains.lowerBound
    while grain < grains.upperBound {
      let (number, place) = grain.quotientAndRemainder(dividingBy: Self.grainsInStretch)
      let count = min(grains.upperBound - grain, Self.grainsInStretch - place)
      let index = Int(number - first)
      if stretches.indices.contains(index) {
        let asked: UInt64 = ((1 << count) - 1) << place
        if stretches[index] & asked != 0 { return true }
      }
      grain += count
    }
    return false
  }

  /// How many stand in a range, each of so many grains and one behind the other, of which none is claimed.
  ///
  /// A month has some two thousand of them: nothing is divided for each.
  func freeCount(of length: Int, within grains: Range<Int64>) -> Int {
    let (number, place) = grains.lowerBound.quotientAndRemainder(dividingBy: Self.grainsInStretch)
    let width = Int(Self.grainsInStretch)
    guard (1...width).contains(length) else { return contains(anyOf: grains) ? 0 : 1 }
    let asked: UInt64 = (1 << UInt64(length)) - 1
    var (index, offset, count) = (Int(number - first), Int(place), 0)
    for _ in 0..<grains.count / length {
      let found = self[index] >> offset | self[index + 1] << (width - offset)
      if found & asked == 0 { count += 1 }
      offset += length
      if offset >= width { (index, offset) = (index + 1, offset - width) }
    }
    return count
  }

  /// The bits of a stretch that is counted from the first; none of one that is not there.
  private subscript(index: Int) -> UInt64 {
    stretches.indices.contains(index) ? stretches[index] : 0
  }

  /// What is claimed within a span, and in the rest of the stretches in which it begins and ends.
  static func find(
    of doctor: ID<Doctor>, within span: Range<Instant>, on connection: Connection
  ) throws -> ClaimedTime {
    let grains = DoctorTime.grains(of: span)
    return ClaimedTime(
      try connection.rows(
        """
        SELECT stretch, grains FROM appointments_claimed
        WHERE doctor = \(doctor) AND stretch >= \(grains.lowerBound / grainsInStretch)
          AND stretch <= \(grains.upperBound / grainsInStretch)
        ORDER BY stretch
        """
      ) { (Int64($0.int(0)), Int64($0.int(1))) })
  }

  static let migration = Migration(
    "0005-claimed-time",
    """
    CREATE TABLE appointments_claimed (
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      stretch \(.integer) NOT NULL,
      grains \(.integer) NOT NULL,
      PRIMARY KEY (doctor, stretch)
    ) \(.strict), WITHOUT ROWID
    """,
    """
    INSERT INTO appointments_claimed (doctor, stretch, grains)
    SELECT doctor, grain / 60, sum(1 << (grain % 60)) FROM appointments_grains
    GROUP BY doctor, grain / 60
    """,
    """
    CREATE TRIGGER appointments_grains_claimed AFTER INSERT ON appointments_grains BEGIN
      INSERT INTO appointments_claimed (doctor, stretch, grains)
      VALUES (new.doctor, new.grain / 60, 1 << (new.grain % 60))
      ON CONFLICT (doctor, stretch) DO UPDATE SET grains = grains | excluded.grains;
    END
    """,
    // A stretch of which nothing is claimed has no row.
    """
    CREATE TRIGGER appointments_grains_released AFTER DELETE ON appointments_grains BEGIN
      UPDATE appointments_claimed SET grains = grains & ~(1 << (old.grain % 60))
      WHERE doctor = old.doctor AND stretch = old.grain / 60;
      DELETE FROM appointments_claimed
      WHERE doctor = old.doctor AND stretch = old.grain / 60 AND grains = 0;
    END
    """)
}
