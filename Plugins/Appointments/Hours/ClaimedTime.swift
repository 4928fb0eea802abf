import PolyclinicCore

/// A bitmap of a doctor's claimed time: one bit for each time unit, in blocks of 60 units.
///
/// Database triggers derive it from the rows of claimed units, also when an erased person's rows
/// are deleted. A month takes a few dozen rows, however many bookings it has.
struct ClaimedTime: Sendable {
  /// The number of units in a block: the most whole hours that fit into the 63 bits of a positive
  /// integer.
  private static let unitsInBlock: Int64 = 60

  private let first: Int64
  private var blocks: [UInt64]

  /// Creates an empty bitmap of the blocks with these numbers. Time outside of them counts as free.
  init(of numbers: ClosedRange<Int64>) {
    first = numbers.lowerBound
    blocks = [UInt64](repeating: 0, count: numbers.count)
  }

  /// Creates the bitmap of taken spans, such as those of bookings that are loaded already.
  init(_ spans: [Range<Instant>]) {
    let units = spans.map(Self.units).filter { !$0.isEmpty }
    let first = units.map(\.lowerBound).min() ?? 0
    let last = units.map(\.upperBound).max() ?? first
    self.init(of: first / Self.unitsInBlock...last / Self.unitsInBlock)
    for unit in units.joined() {
      claim(1 << (unit % Self.unitsInBlock), of: unit / Self.unitsInBlock)
    }
  }

  /// Claims units of the block with this number, with one bit for each unit. The block must be in
  /// the bitmap.
  mutating func claim(_ units: Int64, of number: Int64) {
    blocks[Int(number - first)] |= UInt64(bitPattern: units)
  }

  /// True if at least one of these units is claimed.
  func contains(anyOf units: Range<Int64>) -> Bool {
    var unit = units.lowerBound
    while unit < units.upperBound {
      let (number, place) = unit.quotientAndRemainder(dividingBy: Self.unitsInBlock)
      let count = min(units.upperBound - unit, Self.unitsInBlock - place)
      let index = Int(number - first)
      if blocks.indices.contains(index) {
        let asked: UInt64 = ((1 << count) - 1) << place
        if blocks[index] & asked != 0 { return true }
      }
      unit += count
    }
    return false
  }

  /// Returns the number of free slots in a range, each of `length` units and one after the other.
  ///
  /// A month has about two thousand slots, so it checks as many at once as fit into a block.
  func freeCount(of length: Int, within units: Range<Int64>) -> Int {
    let width = Int(Self.unitsInBlock)
    if length < 1 { return 0 }
    guard length <= width else {
      return (0..<units.count / length).count { number in
        let start = units.lowerBound + Int64(number * length)
        return !contains(anyOf: start..<start + Int64(length))
      }
    }
    let together = width / length
    // One bit at the start of each slot that is checked at once: 1, 1 + 2^length, and so on.
    let starts = ((1 as UInt64) << (together * length) - 1) / ((1 << length) - 1)
    let (number, place) = units.lowerBound.quotientAndRemainder(dividingBy: Self.unitsInBlock)
    var (index, offset, count) = (Int(number - first), Int(place), 0)
    var left = units.count / length
    while left > 0 {
      let found = self[index] >> offset | self[index + 1] << (width - offset)
      // Combines the bits of each slot into the bit at its start.
      let claimed = (1..<length).reduce(found) { $0 | found >> $1 }
      let asked = left < together ? starts & (1 << (left * length) - 1) : starts
      count += (asked & ~claimed).nonzeroBitCount
      left -= together
      offset += together * length
      if offset >= width { (index, offset) = (index + 1, offset - width) }
    }
    return count
  }

  /// The bits of the block at an index, counted from the first block; 0 outside of the bitmap.
  private subscript(index: Int) -> UInt64 {
    blocks.indices.contains(index) ? blocks[index] : 0
  }

  /// Loads the claimed time of a span, with the rest of the blocks in which it begins and ends.
  static func find(
    of doctor: ID<Doctor>, within span: Range<Instant>, in work: Work
  ) throws -> ClaimedTime {
    try find([(doctor, span)], in: work)[0]
  }

  /// Loads the claimed time of several doctors, each in a span, in the same order. Runs one
  /// statement.
  static func find(
    _ asked: [(doctor: ID<Doctor>, span: Range<Instant>)], in work: Work
  ) throws -> [ClaimedTime] {
    let numbers = asked.map { one in
      let units = ClaimedTime.units(of: one.span)
      return units.lowerBound / unitsInBlock...units.upperBound / unitsInBlock
    }
    guard let first = numbers.map(\.lowerBound).min(), let last = numbers.map(\.upperBound).max()
    else { return [] }
    var claimed = numbers.map { ClaimedTime(of: $0) }
    let places = Dictionary(
      asked.enumerated().map { ($0.element.doctor, $0.offset) }, uniquingKeysWith: { one, _ in one }
    )
    try work.forEach(
      """
      SELECT doctor, block, units FROM appointments_claimed_blocks
      WHERE doctor IN \(list: asked.map(\.doctor)) AND block >= \(first) AND block <= \(last)
      """
    ) { row in
      let block = Int64(row.int(1))
      guard let place = places[row.id(0)], numbers[place].contains(block) else { return }
      claimed[place].claim(Int64(row.int(2)), of: block)
    }
    return claimed
  }
}

/// Units of five minutes, each of which has at most one holder.
///
/// A transaction that books a slot, or calls a patient from the waiting list, claims its units. The
/// primary key lets only one of two concurrent transactions win.
extension ClaimedTime {
  /// The length of a unit. Slot lengths are multiples of it.
  static let unit = Seconds.minutes(5)

  static let schema: [SQL] = [
    HeldTime.schema,
    """
    CREATE TABLE appointments_claimed_units (
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor),
      unit \(.integer) NOT NULL,
      appointment \(.integer) REFERENCES appointments (id_appointment) ON DELETE CASCADE,
      ticket \(.integer) REFERENCES appointments_tickets (id_ticket) ON DELETE CASCADE,
      hold TEXT REFERENCES appointments_held_times (token) ON DELETE CASCADE,
      PRIMARY KEY (doctor, unit),
      CHECK (CASE WHEN appointment IS NULL THEN 0 ELSE 1 END
        + CASE WHEN ticket IS NULL THEN 0 ELSE 1 END + CASE WHEN hold IS NULL THEN 0 ELSE 1 END = 1)
    ) \(.strict)
    """,
    """
    CREATE INDEX appointments_claimed_units_hold ON appointments_claimed_units (hold)
    WHERE hold IS NOT NULL
    """,
    """
    CREATE INDEX appointments_claimed_units_appointment ON appointments_claimed_units (appointment)
    WHERE appointment IS NOT NULL
    """,
    """
    CREATE INDEX appointments_claimed_units_ticket ON appointments_claimed_units (ticket)
    WHERE ticket IS NOT NULL
    """,
    """
    CREATE TABLE appointments_claimed_blocks (
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor) ON DELETE CASCADE,
      block \(.integer) NOT NULL,
      units \(.integer) NOT NULL,
      PRIMARY KEY (doctor, block)
    ) \(.strictByKey)
    """,
    // SQLite has a trigger for each event, PostgreSQL one function and one trigger for both. A
    // block without claimed units has no row.
    "\(sqlite: triggerOfClaims, postgresql: functionOfChanges)",
    "\(sqlite: triggerOfReleases, postgresql: triggerOfChanges)",
  ]

  private static let triggerOfClaims: StaticString = """
    CREATE TRIGGER appointments_claimed_units_added AFTER INSERT ON appointments_claimed_units BEGIN
      INSERT INTO appointments_claimed_blocks (doctor, block, units)
      VALUES (new.doctor, new.unit / 60, 1 << (new.unit % 60))
      ON CONFLICT (doctor, block) DO UPDATE SET units = units | excluded.units;
    END
    """

  private static let triggerOfReleases: StaticString = """
    CREATE TRIGGER appointments_claimed_units_removed AFTER DELETE ON appointments_claimed_units BEGIN
      UPDATE appointments_claimed_blocks SET units = units & ~(1 << (old.unit % 60))
      WHERE doctor = old.doctor AND block = old.unit / 60;
      DELETE FROM appointments_claimed_blocks
      WHERE doctor = old.doctor AND block = old.unit / 60 AND units = 0;
    END
    """

  // `1 << 59` would overflow, because a bare 1 has 32 bits.
  private static let functionOfChanges: StaticString = """
    CREATE FUNCTION appointments_claimed_units_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO appointments_claimed_blocks (doctor, block, units)
        VALUES (NEW.doctor, NEW.unit / 60, CAST(1 AS BIGINT) << CAST(NEW.unit % 60 AS INTEGER))
        ON CONFLICT (doctor, block)
        DO UPDATE SET units = appointments_claimed_blocks.units | EXCLUDED.units;
      ELSE
        UPDATE appointments_claimed_blocks
        SET units = units & ~(CAST(1 AS BIGINT) << CAST(OLD.unit % 60 AS INTEGER))
        WHERE doctor = OLD.doctor AND block = OLD.unit / 60;
        DELETE FROM appointments_claimed_blocks
        WHERE doctor = OLD.doctor AND block = OLD.unit / 60 AND units = 0;
      END IF;
      RETURN NULL;
    END
    $$
    """

  private static let triggerOfChanges: StaticString = """
    CREATE TRIGGER appointments_claimed_units_changed
    AFTER INSERT OR DELETE ON appointments_claimed_units
    FOR EACH ROW EXECUTE FUNCTION appointments_claimed_units_changed()
    """

  /// The appointment, the ticket or the held time that claims a unit.
  ///
  /// It holds a plain row ID, one of the three, because bookings and waiting lists are built on this
  /// type.
  struct Holder: Sendable, Hashable {
    var appointment: Int?
    var ticket: Int?
    var hold: String?
  }

  /// The error for a time of which a part is already claimed.
  struct Taken: Error {}

  /// Returns the numbers of the units that a span touches, even partly.
  static func units(of span: Range<Instant>) -> Range<Int64> {
    let first = floored(span.lowerBound.seconds, by: unit.count)
    let end = -floored(-span.upperBound.seconds, by: unit.count)
    return first..<max(first, end)
  }

  /// Claims all units of a span. Throws ``Taken`` if one of them is not free. The caller must then
  /// roll back its transaction or release the claim. Time that was held for too long is free.
  static func claim(
    _ span: Range<Instant>, of doctor: ID<Doctor>, for holder: Holder, in work: Work
  ) throws {
    let units = units(of: span)
    if units.isEmpty { return }
    var claimed = try insert(units, of: doctor, for: holder, in: work)
    if claimed < units.count, try HeldTime.endOverdue(of: doctor, in: work) > 0 {
      claimed += try insert(units, of: doctor, for: holder, in: work)
    }
    guard claimed == units.count else { throw Taken() }
  }

  /// Claims those units that are free, and returns their number.
  private static func insert(
    _ units: Range<Int64>, of doctor: ID<Doctor>, for holder: Holder, in work: Work
  ) throws -> Int {
    try work.runCounting(
      """
      WITH RECURSIVE claimed (unit) AS (
        SELECT CAST(\(units.lowerBound) AS \(.integer))
        UNION ALL SELECT unit + 1 FROM claimed WHERE unit + 1 < \(units.upperBound))
      INSERT INTO appointments_claimed_units (doctor, unit, appointment, ticket, hold)
      SELECT \(doctor), unit, \(holder.appointment), \(holder.ticket), \(holder.hold)
      FROM claimed WHERE true
      ON CONFLICT (doctor, unit) DO NOTHING
      """)
  }

  /// Releases the holder's units from a moment on. Earlier ones stay claimed.
  static func release(
    _ holder: Holder, from moment: Instant = Instant(.min), in work: Work
  ) throws {
    let first = floored(moment.seconds, by: unit.count)
    try work.run(
      """
      DELETE FROM appointments_claimed_units
      WHERE (appointment = \(holder.appointment) OR ticket = \(holder.ticket))
        AND unit >= \(first)
      """)
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
