import PolyclinicCore

/// The mean, minimum and maximum of values.
struct Statistic: Sendable, Equatable {
  private(set) var count = 0
  private(set) var low = 0.0
  private(set) var high = 0.0
  private var sum = 0.0

  /// The arithmetic mean; 0 without values.
  var mean: Double { count == 0 ? 0 : sum / Double(count) }

  /// The lowest and the highest value as “118–141”, or the only value.
  var reach: String { low == high ? "\(Int(low))" : "\(Int(low))–\(Int(high))" }

  mutating func add(_ value: Double) {
    low = count == 0 ? value : min(low, value)
    high = count == 0 ? value : max(high, value)
    sum += value
    count += 1
  }
}

/// The averages of readings.
struct PressureStatistic: Sendable, Equatable {
  private(set) var systolic = Statistic()
  private(set) var diastolic = Statistic()
  private(set) var pulse = Statistic()

  var count: Int { systolic.count }

  /// The rounded averages of both values.
  var mean: Pressure {
    Pressure(
      systolic: Int(systolic.mean.rounded()), diastolic: Int(diastolic.mean.rounded()))
  }

  /// Both ranges as “118–137 / 74–87”, the systolic one first. It is one value, because a
  /// right-to-left sentence would turn two around.
  var reach: String { "\(systolic.reach) / \(diastolic.reach)" }

  mutating func add(_ entry: BloodPressure.Entry) {
    systolic.add(Double(entry.pressure.systolic))
    diastolic.add(Double(entry.pressure.diastolic))
    if let pulse = entry.pulse { self.pulse.add(Double(pulse)) }
  }
}

/// A type that computes an average from entries.
protocol Averaging: Sendable {
  associatedtype Entry: Measured
  var count: Int { get }
  mutating func add(_ entry: Entry)
}

extension PressureStatistic: Averaging {}

/// The average of weights, in the unit that they are shown in.
struct WeightStatistic: Averaging {
  let unit: Weight.Unit
  private(set) var value = Statistic()

  init(unit: Weight.Unit) { self.unit = unit }

  var count: Int { value.count }

  mutating func add(_ entry: Weight.Entry) { value.add(entry.value(in: unit)) }
}

extension DayPart {
  /// Returns the averages of the parts of the day that have entries.
  static func averages<Average: Averaging>(
    _ entries: [Average.Entry], _ blank: Average
  ) -> [(part: DayPart, average: Average)] {
    var averages = allCases.map { _ in blank }
    for entry in entries {
      let part = DayPart(entry.time)
      averages[part.place].add(entry)
    }
    return zip(allCases, averages).filter { $0.1.count > 0 }.map { ($0, $1) }
  }

  private var place: Int {
    switch self {
    case .morning: 0
    case .afternoon: 1
    case .evening: 2
    case .night: 3
    }
  }
}
