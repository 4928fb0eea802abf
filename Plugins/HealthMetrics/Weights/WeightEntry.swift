import PolyclinicCore

extension Weight {
  /// What lists, charts, averages and cards read: no weight is opened for them.
  struct Entry: SealedEntry, Measured {
    let id: ID<Weight>
    let time: ZonedTime
    /// In the unit it was measured in.
    let thousandths: Int
    let unit: Unit
    /// The beginning of the note, in UTF-8.
    let note: ArraySlice<UInt8>

    init(_ weight: Weight, id: ID<Weight>) {
      self.id = id
      time = weight.measuredAt ?? ZonedTime(Instant(0), in: .utc)
      thousandths = Int(((weight.value ?? 0) * 1_000).rounded())
      unit = weight.unit
      note = Array(weight.note.prefix(MeasuredTime.shownOfNote).utf8)[...]
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      time = try ZonedTime(from: &bytes)
      thousandths = try bytes.count()
      unit = try bytes.byte() == 0 ? .kg : .lb
      note = try bytes.bytes()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      time.write(to: &bytes)
      bytes.write(count: thousandths)
      bytes.write(UInt8(unit == .kg ? 0 : 1))
      bytes.write(note)
    }

    /// As it was measured.
    var value: Double { Double(thousandths) / 1_000 }

    /// In kilograms, whatever it was measured in.
    var kilograms: Double { value * unit.kilograms }

    /// In another unit, for showing.
    func value(in other: Unit) -> Double {
      unit == other ? value : kilograms / other.kilograms
    }

    /// The newest first.
    static func < (one: Entry, other: Entry) -> Bool {
      (other.time.instant, other.id) < (one.time.instant, one.id)
    }
  }
}
