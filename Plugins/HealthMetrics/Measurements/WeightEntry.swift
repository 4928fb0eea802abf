import PolyclinicCore

extension Weight {
  /// The index entry of a weight. Lists, charts, averages and cards read only this and open no
  /// weight.
  struct Entry: CodedEntry, Measured {
    let id: ID<Weight>
    let time: ZonedTime
    /// The value in the unit that it was measured in, with all its digits, because each page rounds
    /// it once.
    let value: Double
    let unit: Unit
    /// The beginning of the note, in UTF-8.
    let note: ArraySlice<UInt8>

    init(_ weight: Weight, id: ID<Weight>) {
      self.id = id
      time = weight.measuredAt ?? ZonedTime(Instant(0), in: .utc)
      value = weight.value ?? 0
      unit = weight.unit
      note = Array(weight.note.prefix(Self.shownOfNote).utf8)[...]
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      time = try ZonedTime(from: &bytes)
      value = Double(bitPattern: UInt64(bitPattern: try bytes.integer()).byteSwapped)
      unit = try bytes.byte() == 0 ? .kg : .lb
      note = try bytes.bytes()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      time.write(to: &bytes)
      // The last bytes of round numbers are zeros, which take no space in front.
      bytes.write(Int64(bitPattern: value.bitPattern.byteSwapped))
      bytes.write(UInt8(unit == .kg ? 0 : 1))
      bytes.write(note)
    }

    /// The weight in kilograms, converted from its unit.
    var kilograms: Double { value * unit.kilograms }

    /// Returns the value in the unit that it is shown in.
    func value(in other: Unit) -> Double {
      unit == other ? value : kilograms / other.kilograms
    }

    /// Orders the newest first.
    static func < (one: Entry, other: Entry) -> Bool {
      (other.time.instant, other.id) < (one.time.instant, one.id)
    }
  }
}
