/// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten (Paul Heckbert, "Nice Numbers
/// for Graph Labels", Graphics Gems, 1990).
public struct NumberTicks: Sendable, Equatable {
  /// The numbers, in order; the first is not above what is covered, the last not below it.
  public let values: [Double]
  /// How many digits behind the separator tell them apart.
  public let fractionDigits: Int

  /// About `count` numbers, from 2, that cover the range.
  public init(covering range: ClosedRange<Double>, about count: Int) {
    let width = range.upperBound - range.lowerBound
    let span = width > 0 ? width : max(abs(range.upperBound), 1) / 10
    let step = Self.nice(span / Double(max(1, count - 1)))
    let first = (range.lowerBound / step).rounded(.down)
    let last = max((range.upperBound / step).rounded(.up), first + 1)
    values = (0...Int(last - first)).map { (first + Double($0)) * step }
    fractionDigits = step >= 1 ? 0 : Int(-Self.exponent(of: step))
  }

  /// The nearest of 1, 2, 5 and 10 times a power of ten; Heckbert's thresholds.
  private static func nice(_ number: Double) -> Double {
    let power = Self.power(of: 10, exponent(of: number))
    let fraction = number / power
    let rounded: Double = fraction < 1.5 ? 1 : fraction < 3 ? 2 : fraction < 7 ? 5 : 10
    return rounded * power
  }

  /// The number of the decimal place in which a positive number begins: 0 for 1 to 9.
  private static func exponent(of number: Double) -> Double {
    var (exponent, rest) = (0.0, number)
    // A number whose product with a power of ten rounds to just below it counts as that power.
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
