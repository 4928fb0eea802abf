import PolyclinicCore

/// A measurement of a person, with the parts that the pages, files and charts of all kinds share.
protocol Measurement: Resealable {
  associatedtype Entry: CodedEntry & Measured where Entry.Record == Self
  /// The key that detects duplicates: the minute and the values.
  associatedtype Identity: Hashable
  static var kind: MetricsKind { get }
  static var pages: MeasurementPages<Self> { get }
  static var form: Form<Self> { get }
  static var records: Records<Entry> { get }
  /// The columns of its files, by the names of the form's fields.
  static var columns: [String] { get }
  var measuredAt: ZonedTime? { get set }
  /// The title in import previews and in the list of deleted entries.
  var title: Text { get }
  var identity: Identity { get }
  static func identity(of entry: Entry) -> Identity
}

/// The addresses of the pages of one kind of measurement.
struct MeasurementPages<Record>: Sendable {
  let list, chart, new, upload, export: Address<Void>
  let one, edit, deletion: Address<ID<Record>>
}

/// A kind of measurement. The raw values name its files and words.
enum MetricsKind: String {
  case weights
  case bloodPressure = "blood-pressure"

  var title: Text { word("title") }
  var new: Text { self == .weights ? "weight.new" : "pressure.new" }
  var data: Icon.Kind { self == .weights ? .weight : .pressure }

  /// Returns a text of its pages by its role.
  func word(_ role: String) -> Text {
    Text(self == .weights ? "weights.\(role)" : "pressure.\(role)")
  }

  /// The id of its chart, which is unique within a page.
  var chartID: StaticString { self == .weights ? "weight" : "pressure" }
}

extension Icon.Kind {
  static let weight = Icon.Kind("weight", .scale)
  static let pressure = Icon.Kind("pressure", .heartPulse)
}

extension Measurement {
  static func create(
    _ draft: Self, _ context: Context
  ) throws -> Path {
    try draft.measuredAt.requirePast(at: context.now)
    let id = try records.insert(draft, in: context)
    return pages.one.path(id)
  }

  /// Throws ``Refusal/invalid(_:_:)`` for a time that is still to come.
  @Sendable
  static func check(_ draft: inout Self, _ context: Context) throws {
    try draft.measuredAt.requirePast(at: context.now)
  }
}
