import PolyclinicCore

/// What of a doctor's time is claimed, a bit for each grain, in stretches of sixty grains.
///
/// The database itself derives it from the grains, whoever claims them or gives them back, and also where
/// they go with a person who is erased: so a month is a few dozen rows, however much is booked.
struct ClaimedTime: Sendable {
  /// As many bits as a number has without its sign, to a whole hour.
  private static let grainsInStretch: Int64 = 60

  private let first: Int64
  private var stretches: [UInt64]

  /// Nothing of stretches with these numbers; what is outside of them counts as free.
  init(of numbers: ClosedRange<Int64>) {
    first = numbers.lowerBound
    stretches = [UInt64](repeating: 0, count: numbers.count)
  }

  /// Claims grains of the stretch with that number, one of those it was made with; a bit for each.
  mutating func claim(_ grains: Int64, of number: Int64) {
    stretches[Int(number - first)] |= UInt64(bitPattern: grains)
  }

  /// Whether one of these grains is claimed.
  func contains(anyOf grains: Range<Int64>) -> Bool {
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
  /// A month has some two thousand of them: as many as fit into a stretch are looked at at once.
  func freeCount(of length: Int, within grains: Range<Int64>) -> Int {
    let width = Int(Self.grainsInStretch)
    if length < 1 { return 0 }
    guard length <= width else {
      return (0..<grains.count / length).count { number in
        let start = grains.lowerBound + Int64(number * length)
        return !contains(anyOf: start..<start + Int64(length))
      }
    }
    let together = width / length
    // A bit where each of those begins that are looked at together: 1, 1 + 2^length, and so on.
    let starts = ((1 as UInt64) << (together * length) - 1) / ((1 << length) - 1)
    let (number, place) = grains.lowerBound.quotientAndRemainder(dividingBy: Self.grainsInStretch)
    var (index, offset, count) = (Int(number - first), Int(place), 0)
    var left = grains.count / length
    while left > 0 {
      let found = self[index] >> offset | self[index + 1] << (width - offset)
      // What is claimed of each, at the place where it begins.
      let claimed = (1..<length).reduce(found) { $0 | found >> $1 }
      let asked = left < together ? starts & (1 << (left * length) - 1) : starts
      count += (asked & ~claimed).nonzeroBitCount
      left -= together
      offset += together * length
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
    let numbers =
      grains.lowerBound / grainsInStretch...grains.upperBound / grainsInStretch
    var claimed = ClaimedTime(of: numbers)
    _ = try connection.rows(
      """
      SELECT stretch, grains FROM appointments_claimed
      WHERE doctor = \(doctor) AND stretch >= \(numbers.lowerBound)
        AND stretch <= \(numbers.upperBound)
      """
    ) { claimed.claim(Int64($0.int(1)), of: Int64($0.int(0))) }
    return claimed
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
