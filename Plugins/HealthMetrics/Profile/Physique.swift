import PolyclinicCore

/// What of a person's body measurements are judged by.
struct Physique: Sendable {
  /// In centimetres; nil where it was never said.
  let height: Double?
  let birthDate: CalendarDate?

  init(by keys: Keys, _ portal: Portal, on connection: Connection) throws {
    height = try Preferences.find(by: keys, on: connection).height
    birthDate = try portal.people.birthDate(by: keys, on: connection)
  }

  init(height: Double?, birthDate: CalendarDate?) {
    self.height = height
    self.birthDate = birthDate
  }

  /// In whole years; nil where the day of birth is not known.
  func age(on day: CalendarDate) -> Int? {
    guard let birthDate, birthDate <= day else { return nil }
    let hadBirthday = birthDate.monthDay.date(in: day.year).map { $0 <= day } ?? true
    return day.year - birthDate.year - (hadBirthday ? 0 : 1)
  }

  func bmi(of kilograms: Double) -> BodyMassIndex? {
    height.map { BodyMassIndex(kilograms: kilograms, centimetres: $0) }
  }

  /// The weights in kilograms that an adult of this height is advised to have; nil where height or age
  /// are not known, and for children, whose range changes with each month.
  func advised(on day: CalendarDate) -> ClosedRange<Double>? {
    guard let height, let age = age(on: day), age >= BodyMassIndex.adultAge else { return nil }
    let square = height * height / 10_000
    return BodyMassIndex.normal.lowerBound * square...BodyMassIndex.normal.upperBound * square
  }
}

/// The body mass index: kilograms by square metre.
struct BodyMassIndex: Sendable {
  let value: Double

  /// From which age the classes of ``Kind`` hold.
  static let adultAge = 18
  /// WHO, "Obesity: preventing and managing the global epidemic", Technical Report Series 894 (2000), table
  /// 2.1.
  static let normal = 18.5...24.9

  init(kilograms: Double, centimetres: Double) {
    value = kilograms / (centimetres * centimetres / 10_000)
  }

  /// WHO's classes of adults; the same table.
  enum Kind: String, Sendable {
    case under, normal, over, obese

    var title: Text { Text("bmi.\(rawValue)") }
  }

  /// Its class; nil for children and where the age is not known: a number is no judgement.
  func kind(_ age: Int?) -> Kind? {
    guard let age, age >= Self.adultAge else { return nil }
    if value < Self.normal.lowerBound { return .under }
    if value < 25 { return .normal }
    return value < 30 ? .over : .obese
  }
}
