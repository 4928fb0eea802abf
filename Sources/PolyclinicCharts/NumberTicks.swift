import PolyclinicCore

/// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten (Paul Heckbert, "Nice
/// Numbers for Graph Labels", Graphics Gems, 1990).
struct NumberTicks: Sendable, Equatable {
  /// The numbers in ascending order. They cover the range: the first is not above its lower bound,
  /// and the last is not below its upper bound.
  let values: [Double]
  /// The number of fraction digits that distinguishes the numbers.
  let fractionDigits: Int

  /// Creates about `count` numbers, at least 2, that cover the range.
  init(covering range: ClosedRange<Double>, about count: Int) {
    let width = range.upperBound - range.lowerBound
    let span = width > 0 ? width : max(abs(range.upperBound), 1) / 10
    let step = Self.nice(span / Double(max(1, count - 1)))
    let first = (range.lowerBound / step).rounded(.down)
    let last = max((range.upperBound / step).rounded(.up), first + 1)
    values = (0...Int(last - first)).map { (first + Double($0)) * step }
    fractionDigits = step >= 1 ? 0 : Int(-Self.exponent(of: step))
  }

  /// Returns the nearest of 1, 2, 5 and 10 times a power of ten, by Heckbert's thresholds.
  private static func nice(_ number: Double) -> Double {
    let power = Self.power(of: 10, exponent(of: number))
    let fraction = number / power
    let rounded: Double = fraction < 1.5 ? 1 : fraction < 3 ? 2 : fraction < 7 ? 5 : 10
    return rounded * power
  }

  /// Returns the decimal exponent of a positive number: 0 for 1 to 9.
  private static func exponent(of number: Double) -> Double {
    var (exponent, rest) = (0.0, number)
    // The tolerance counts a number just below a power of ten, due to rounding, as that power.
    while rest >= 10 - 1e-9 {
      rest /= 10
      exponent += 1
    }
    while rest < 1 - 1e-9, exponent > -12 {
      rest *= 10
      exponent -= 1
    }
    return exponent
  }

  private static func power(of base: Double, _ exponent: Double) -> Double {
    var power = 1.0
    for _ in 0..<Int(abs(exponent)) { power *= base }
    return exponent < 0 ? 1 / power : power
  }
}
