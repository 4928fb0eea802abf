import PolyclinicCore

/// The latest weight, and an earlier one from about a month before.
struct WeightChange: Sendable {
  let latest: Weight.Entry
  private(set) var before: Weight.Entry?

  /// The shortest and the longest interval between the two weights.
  private static let (month, longest) = (Seconds.days(30), Seconds.days(60))

  /// Finds the two weights. Returns nil if there is no weight. If none is a month older, takes the
  /// oldest of the month.
  init?(in work: Work) throws {
    var (latest, before): (Weight.Entry?, Weight.Entry?)
    try Weight.index.prefix(in: work) { entry in
      guard let newest = latest else {
        latest = entry
        return true
      }
      let age = newest.time.instant - entry.time.instant
      if age > Self.longest { return false }
      before = entry
      return age < Self.month
    }
    guard let latest else { return nil }
    self.latest = latest
    self.before = before
  }

  /// Returns the latest weight, its change and its time.
  func summary(in unit: Weight.Unit, _ context: Context) -> HTML {
    """
    <p class="figure">\(latest.html(in: unit, context))</p>\
    \(html(in: unit, context).map { "<p>\($0)</p>" })\
    <p class="secondary-text">\(context.formats.dateTime(latest.time.local))</p>
    """
  }

  /// Returns “0.6 kg less than 31 days ago”; nil if there is no earlier weight.
  private func html(in unit: Weight.Unit, _ context: Context) -> HTML? {
    guard let before else { return nil }
    let days = latest.time.day.daysSince1970 - before.time.day.daysSince1970
    guard days > 0 else { return nil }
    let change = latest.value(in: unit) - before.value(in: unit)
    let number = context.formats.number(abs(change), fractionDigits: 1)
    let amount = context.text(Text("amount.\(unit.rawValue)", ["value": number]))
    let words: Text =
      abs(change) < 0.05
      ? "card.weight.same" : change < 0 ? "card.weight.less" : "card.weight.more"
    return "\(context.text(Text(words.key, ["amount": amount], count: days)))"
  }
}
