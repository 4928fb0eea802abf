import Testing

@testable import PolyclinicCore

/// The excerpts of records that lists read.
@Suite struct ExcerptTests {
  /// A draft with fields whose encodings differ.
  private struct Visit: Resealable {
    var title = ""
    var kind = Kind.first
    var day: CalendarDate?
    var at: TimeOfDay?
    var time: ZonedTime?
    var count: Int?
    var dose: Int?
    var change: Int?
    var weight: Double?
    var isDone = false
    var notes = ""
    var steps: [Step] = []
    var unknown = Sealed.UnknownFields()

    enum Kind: String, CaseIterable, Sendable { case first, second }

    var line: String { "\(title), \(steps.count)" }
  }

  private struct Step: Resealable, Equatable {
    var text = ""
    var unknown = Sealed.UnknownFields()
  }

  private static let form = Form(
    Visit(), .text(\.title, "title"), .choice(\.kind, "kind"), .date(\.day, "day"),
    .time(\.at, "at"), .dateTime(\.time, "time"), .integer(\.count, "count", in: 0...9),
    .integer(\.dose, "dose", in: 1...9), .integer(\.change, "change", in: -9...9),
    .decimal(\.weight, "weight", in: 0...9), .check(\.isDone, "done"), .lines(\.notes, "notes"),
    .rows(\.steps, "step", limit: 3, of: Form(Step(), .text(\.text, "text"))))

  private static let index = form.excerpt(
    in: "visits_index", \.title, \.kind, \.day, \.at, \.time, \.count, \.dose, \.change, \.weight,
    \.isDone, \.steps, by: \.title)

  private static func decoded(_ visit: Visit) throws -> Form<Visit>.Excerpt {
    try index.decoded(index.encoded(Form.Excerpt(visit, id: ID(7))))
  }

  @Test func `an excerpt has the fields that it lists, and no others`() throws {
    let visit = Visit(
      title: "Dentist", kind: .second, day: CalendarDate("2026-05-04"), at: TimeOfDay("09:05"),
      time: ZonedTime("2026-05-04T09:05:00+03:00"), count: 3, dose: 2, change: -4, weight: 72.5,
      isDone: true, notes: "secret", steps: [Step(text: "one"), Step(text: "two")])
    let excerpt = try Self.decoded(visit)
    #expect(excerpt.id == ID(7) && excerpt.title == "Dentist" && excerpt.kind == .second)
    #expect(excerpt.day == visit.day && excerpt.at == visit.at && excerpt.time == visit.time)
    #expect(excerpt.count == 3 && excerpt.dose == 2 && excerpt.change == -4)
    #expect(excerpt.weight == 72.5 && excerpt.isDone && excerpt.steps == visit.steps)
    #expect(excerpt.line == "Dentist, 2")
    #expect(excerpt.record.notes == "")
  }

  #if DEBUG
    @Test func `a debug build stops where a page reads a field that the excerpt lacks`() async {
      await #expect(processExitsWith: .failure) { _ = try Self.decoded(Visit()).notes }
    }
  #endif

  @Test func `an order by a field that the excerpt lacks stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = Self.form.excerpt(in: "i", \.title, by: \.notes)
    }
    await #expect(processExitsWith: .failure) {
      _ = Self.form.excerpt(in: "i", \.title, latestBy: \.day)
    }
    await #expect(processExitsWith: .failure) {
      _ = Self.form.excerpt(in: "i", \.title, by: { "\($0.title)\($0.kind.rawValue)" })
    }
  }

  @Test func `an empty field stays empty, and differs from zero`() throws {
    let empty = try Self.decoded(Visit())
    #expect(empty.day == nil && empty.at == nil && empty.time == nil && empty.weight == nil)
    #expect(empty.count == nil && empty.dose == nil && empty.change == nil)
    let zero = try Self.decoded(Visit(count: 0, change: 0, weight: 0))
    #expect(zero.count == 0 && zero.change == 0 && zero.weight == 0)
  }

  @Test func `records that are sealed for another table stop the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = Records(
        "visits", id: "id_visit", sealed: SealedColumn("visit.sealed", Self.form),
        index: Self.index, title: \.title, entry: Form<Visit>.Excerpt.init(_:id:))
    }
  }

  @Test func `an excerpt of an earlier release lacks the later fields`() throws {
    let earlier = Self.form.excerpt(in: "visits_index", \.title, by: \.title)
    let bytes = earlier.encoded(Form.Excerpt(Visit(title: "Dentist", count: 3), id: ID(7)))
    let excerpt = try Self.index.decoded(bytes)
    #expect(excerpt.title == "Dentist" && excerpt.record.count == nil)
    let later = Self.index.encoded(Form.Excerpt(Visit(title: "Dentist"), id: ID(7)))
    #expect(try earlier.decoded(later).title == "Dentist")
  }

  @Test func `a choice of a later release is read as the default`() throws {
    var bytes = ByteWriter()
    bytes.write(ID<Visit>(7))
    bytes.write("third")
    let index = Self.form.excerpt(in: "visits_index", \.kind, by: \.kind.rawValue)
    #expect(try index.decoded(bytes.bytes[...]).kind == .first)
  }

  @Test func `a truncated excerpt is refused`() throws {
    let bytes = Self.index.encoded(
      Form.Excerpt(Visit(title: "Dentist", steps: [Step()]), id: ID(7)))
    #expect(throws: DecodingFailure.self) { try Self.index.decoded(bytes.dropLast()) }
  }

  @Test func `excerpts are in the order of their text, value or latest value`() {
    func order(
      _ index: SealedIndex<Form<Visit>.Excerpt>, _ visits: [Visit]
    ) -> [Int64] {
      let excerpts = visits.enumerated().map { Form.Excerpt($1, id: ID(Int64($0))) }
      return excerpts.shuffled().sorted(by: index.precedes).map(\.id.rawValue)
    }
    let names = ["bob", "Émile", "Alice", "bob"].map { Visit(title: $0) }
    #expect(order(Self.index, names) == [2, 0, 3, 1])
    let counts = [3, nil, 1, 3].map { Visit(count: $0) }
    #expect(order(Self.form.excerpt(in: "i", \.count, by: \.count), counts) == [1, 2, 0, 3])
    #expect(order(Self.form.excerpt(in: "i", \.count, latestBy: \.count), counts) == [3, 0, 2, 1])
  }
}
