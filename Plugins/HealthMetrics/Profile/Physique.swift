import PolyclinicCore

/// The height and age by which a person's measurements are assessed.
struct Physique: Sendable {
  /// The height in centimetres; nil if the person has not entered it.
  let height: Double?
  let birthDate: CalendarDate?

  init(_ portal: Portal, in work: Work) throws {
    height = try Preferences.find(in: work).height
    birthDate = try portal.people.birthDate(in: work)
  }

  init(height: Double?, birthDate: CalendarDate?) {
    self.height = height
    self.birthDate = birthDate
  }

  /// Returns the age in whole years; nil if the date of birth is unknown.
  func age(on day: CalendarDate) -> Int? {
    guard let birthDate, birthDate <= day else { return nil }
    let hadBirthday = birthDate.monthDay.date(in: day.year).map { $0 <= day } ?? true
    return day.year - birthDate.year - (hadBirthday ? 0 : 1)
  }

  /// True if the person is known to be under 18.
  func isChild(on day: CalendarDate) -> Bool {
    age(on: day).map { $0 < BodyMassIndex.adultAge } ?? false
  }

  func bmi(of kilograms: Double) -> BodyMassIndex? {
    height.map { BodyMassIndex(kilograms: kilograms, centimetres: $0) }
  }

  /// Returns the healthy weight range of an adult of this height, in kilograms. Returns nil if
  /// height or age are unknown, and for children, whose range changes each month.
  func advised(on day: CalendarDate) -> ClosedRange<Double>? {
    guard let height, let age = age(on: day), age >= BodyMassIndex.adultAge else { return nil }
    let square = height * height / 10_000
    return BodyMassIndex.normal.lowerBound * square...BodyMassIndex.normal.upperBound * square
  }
}

/// The body mass index, in kilograms per square metre.
struct BodyMassIndex: Sendable {
  let value: Double

  /// The lowest age for the classes of ``Kind``.
  static let adultAge = 18
  /// The normal range of WHO, "Obesity: preventing and managing the global epidemic", Technical
  /// Report Series 894 (2000), table 2.1.
  static let normal = 18.5...24.9

  init(kilograms: Double, centimetres: Double) {
    value = kilograms / (centimetres * centimetres / 10_000)
  }

  /// The WHO classes for adults, from the same table.
  enum Kind: String, Sendable {
    case under, normal, over, obese

    var title: Text { Text("bmi.\(rawValue)") }
  }

  /// Returns the class; nil for children and unknown ages, because the number alone does not
  /// determine it.
  func kind(_ age: Int?) -> Kind? {
    guard let age, age >= Self.adultAge else { return nil }
    if value < Self.normal.lowerBound { return .under }
    if value < 25 { return .normal }
    return value < 30 ? .over : .obese
  }
}
