extension Int64 {
  /// Returns the quotient rounded down and a remainder that is never negative.
  ///
  /// With seconds since 1970 and a day's length it gives the day and the time of day, also before
  /// 1970. `divisor` must be positive.
  public func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
