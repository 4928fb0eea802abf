import PolyclinicCore

/// Something that a person measures and keeps: what its pages, files and charts have in common.
protocol Measurement: Resealable {
  associatedtype Entry: SealedEntry & Measured where Entry.Record == Self
  /// What two measurements have to have in common to be one: values and minute.
  associatedtype Identity: Hashable
  /// Its folder of pages.
  static var kind: MetricsKind { get }
  static var form: Form<Self> { get }
  static var records: Records<Entry> { get }
  /// The columns of its files: fields of the form.
  static var columns: [String] { get }
  var measuredAt: ZonedTime? { get }
  /// What the preview of a file, and a list of what was deleted, call it.
  var title: Text { get }
  var identity: Identity { get }
  static func identity(of entry: Entry) -> Identity
}

/// What is measured; the names are those of the addresses.
enum MetricsKind: String {
  case weights
  case bloodPressure = "blood-pressure"

  /// Where its list is.
  var path: Path { "/health-metrics/\(rawValue)" }

  var title: Text { word("title") }
  var new: Text { self == .weights ? "weight.new" : "pressure.new" }
  var icon: Icon { self == .weights ? .chart : .pulse }

  /// A text of its pages, named by its use.
  func word(_ role: String) -> Text {
    Text(self == .weights ? "weights.\(role)" : "pressure.\(role)")
  }

  /// What tells its chart from others of a page.
  var chartID: StaticString { self == .weights ? "weight" : "pressure" }
}

extension Measurement {
  static func create(
    _ draft: Self, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try MeasuredTime.requirePast(draft.measuredAt, at: context.now)
    let id = try records.insert(draft, at: context.now, by: context.keys, on: connection)
    return "\(kind.path)/\(id)"
  }

  static func update(
    _ draft: Self, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try MeasuredTime.requirePast(draft.measuredAt, at: context.now)
    let id: ID<Self> = try context.id()
    try records.replace(id, with: draft, by: context.keys, on: connection)
    return "\(kind.path)/\(id)"
  }
}
