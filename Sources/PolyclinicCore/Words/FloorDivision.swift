extension Int64 {
  /// The quotient rounded down, and what is left above it, which is never negative: days since 1970 and
  /// the time of day, also before 1970. `divisor` is positive.
  public func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
