import PolyclinicCore

/// The page of one weight.
struct WeightPage: RoutedPage {
  static let address = Weight.pages.one
  static let linkTitle: Text? = "weight.page"

  private let id: ID<Weight>
  private let weight: Weight
  private let person: Physique
  private let heightHint: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    weight = try Weight.records.load(context)
    person = try Physique(context.portal, in: context)
    heightHint = try person.heightHint(context)
  }

  var page: Page {
    let time = weight.measuredAt.map { context.formats.dateTime($0.local) } ?? ""
    let facts: [(Text, HTML?)] = [
      ("weight.value", measured), ("weight.converted", converted), ("bmi.title", bmi),
      ("field.measured_at", "\(time)"),
      ("field.note", weight.note.isEmpty ? nil : "<bdi>\(weight.note)</bdi>"),
    ]
    return Page(
      Text("weight.title", ["time": time]),
      """
      \(context.facts(facts.map { HTML.Fact($0, $1) }))\(heightHint)\
      \(Weight.pages.actions(for: id, context))
      """,
      back: WeightList.path)
  }

  private var measured: HTML {
    let value = weight.value ?? 0
    return weight.unit.html(
      value, digits: Formats.fractionDigits(of: value, atMost: 2), context)
  }

  private var converted: HTML {
    let other: Weight.Unit = weight.unit == .kg ? .lb : .kg
    return other.html(weight.kilograms / other.kilograms, digits: 1, context)
  }

  private var bmi: HTML? {
    guard let bmi = person.bmi(of: weight.kilograms) else { return nil }
    let number = context.formats.number(bmi.value, fractionDigits: 1)
    guard let day = weight.measuredAt?.day, let kind = bmi.kind(person.age(on: day)) else {
      return "\(number)"
    }
    return """
      \(number) – \(context.text(kind.title))\
      <span class="secondary-text">\(context.text("bmi.source"))</span>
      """
  }
}
