import PolyclinicCore

extension BloodPressure {
  /// The index entry of a reading. Lists, charts, averages and cards read only this and open no
  /// reading.
  struct Entry: CodedEntry, Measured {
    let id: ID<BloodPressure>
    let time: ZonedTime
    let pressure: Pressure
    let pulse: Int?
    let arm: Arm?
    /// The beginning of the note, in UTF-8.
    let note: ArraySlice<UInt8>

    init(_ reading: BloodPressure, id: ID<BloodPressure>) {
      self.id = id
      time = reading.measuredAt ?? ZonedTime(Instant(0), in: .utc)
      pressure = reading.pressure
      pulse = reading.pulse
      arm = Arm(rawValue: reading.arm)
      note = Array(reading.note.prefix(Self.shownOfNote).utf8)[...]
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      time = try ZonedTime(from: &bytes)
      pressure = Pressure(systolic: try bytes.count(), diastolic: try bytes.count())
      let pulse = try bytes.count()
      self.pulse = pulse == 0 ? nil : pulse
      switch try bytes.byte() {
      case 1: arm = .left
      case 2: arm = .right
      default: arm = nil
      }
      note = try bytes.bytes()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      time.write(to: &bytes)
      bytes.write(count: pressure.systolic)
      bytes.write(count: pressure.diastolic)
      bytes.write(count: pulse ?? 0)
      bytes.write(UInt8(arm == nil ? 0 : arm == .left ? 1 : 2))
      bytes.write(note)
    }

    /// Orders the newest first.
    static func < (one: Entry, other: Entry) -> Bool {
      (other.time.instant, other.id) < (one.time.instant, one.id)
    }
  }
}

/// The systolic and diastolic values of a reading or of an average, in mmHg.
struct Pressure: Sendable, Hashable {
  let systolic: Int
  let diastolic: Int

  /// The limits above which a patient should act the same day: AHA 2017 (Whelton et al.,
  /// doi:10.1161/HYP.0000000000000065), section 11.2, and ESC 2024, section 10.
  static let severe = Pressure(systolic: 180, diastolic: 120)

  /// The limits below which a pressure is low (nhs.uk/conditions/low-blood-pressure-hypotension).
  static let low = Pressure(systolic: 90, diastolic: 60)

  /// The pressure as it is written, such as “120/80”.
  var words: String { "\(systolic)/\(diastolic)" }
}
