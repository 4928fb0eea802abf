extension Instant {
  /// `20260504T090000Z` (ISO 8601, basic format), in UTC so that readers need no time zone.
  public var basicText: String {
    let local = LocalDateTime(self, in: .utc)
    let second = Int(seconds.floorDivided(by: 60).remainder)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = local.date.description.filter { $0 != "-" }
    return "\(date)T\(two(local.hour))\(two(local.minute))\(two(second))Z"
  }
}
