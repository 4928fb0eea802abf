import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

/// The answers of the user about details that a file leaves open.
struct FileOptions: Sendable {
  /// A ``Weight/Unit``; empty if the file names the unit.
  var unit = ""
  /// A ``PolyclinicFormats/WrittenTime/Order``; empty if the file shows the order.
  var dateOrder = ""
  /// The number of the person in the file, from 1, or ``everybody``; empty if the file has one
  /// person.
  var person = ""
  /// The numbers of the chosen columns, from 1.
  var columns: [Heading.Column: String] = [:]

  /// The answer that all lines of a file with several names are of one person.
  static let everybody = "all"

  subscript(column: Heading.Column) -> String {
    get { columns[column] ?? "" }
    set { columns[column] = newValue }
  }

  /// The places of the chosen columns, from 0.
  var places: [Heading.Column: Int] { columns.compactMapValues(Self.place) }

  /// Returns the place, from 0, of a number from 1; nil for any other text.
  static func place(_ number: String) -> Int? {
    guard let number = Int(number), number > 0 else { return nil }
    return number - 1
  }

  /// The options of a kind of measurement, none of which is asked before the file is read.
  static func form(of kind: MetricsKind) -> Form<FileOptions> {
    let columns = kind.columnsToChoose.map { column($0, among: [], or: "import.no-column") }
    let fields = columns + [person(among: []), order] + (kind == .weights ? [unit] : [])
    return Form(FileOptions()).adding(fields.map(\.unasked))
  }

  static let unit = choice(
    \.unit, "unit",
    among: Weight.Unit.allCases.map {
      Choice($0.rawValue, .text(Text("unit.\($0.rawValue)")))
    })

  static let order = choice(
    \.dateOrder, "date_order",
    among: WrittenTime.Order.allCases.map {
      Choice($0.rawValue, .text(Text("date_order.\($0.rawValue)")))
    })

  static func person(among names: [String]) -> Field<FileOptions> {
    let people = names.enumerated().map { place, name in
      Choice(String(place + 1), name.isEmpty ? .text("import.nobody") : .verbatim(name))
    }
    return choice(
      \.person, "measured_person", among: people + [Choice(everybody, .text("import.everybody"))])
  }

  /// Returns the list of the file's columns; `none` is the text of its first option, which is no
  /// column.
  static func column(
    _ column: Heading.Column, among labels: [Choice.Label], or none: Text
  ) -> Field<FileOptions> {
    let columns = labels.enumerated().map { place, label in Choice(String(place + 1), label) }
    return choice(
      \FileOptions.[column], column.field, among: columns, or: none,
      hint: column == .diastolic ? "field.column_diastolic.hint" : nil)
  }

  private static func choice(
    _ value: WritableKeyPath<FileOptions, String> & Sendable, _ name: String,
    among choices: [Choice], or none: Text = "form.choose", hint: Text? = nil
  ) -> Field<FileOptions> {
    .choice(value, name, hint: hint) { _ in [Choice("", .text(none))] + choices }
  }
}

extension Heading.Column {
  /// The name of the option that holds the chosen column.
  var field: String { "column_\(rawValue)" }
}

/// The questions that a file leaves open, and their answers.
struct FileQuestions {
  let table: MeasurementTable
  private(set) var options: FileOptions
  /// The names of the people in the file, in the order of their first lines.
  private let people: [String]
  private let needsUnit: Bool

  /// The most people who can be told apart.
  private static let mostPeople = 20

  /// Asks about the columns first, because nothing else is known without them.
  init(_ table: MeasurementTable, _ options: FileOptions) {
    self.table = table
    self.options = options
    var people: [String] = []
    if table.places[.person] != nil {
      for record in table.records {
        let name = table.value(.person, of: record)
        if people.count < Self.mostPeople, !people.contains(where: name.isIdentical) {
          people.append(name)
        }
      }
    }
    self.people = people
    needsUnit =
      table.kind == .weights
      && table.records.contains { record in
        let quantity = table.quantity(.value, of: table.value(.value, of: record))
        return quantity?.number.isEmpty == false && Weight.unit(of: record, in: table) == nil
      }
    if asksColumns, options.places.isEmpty {
      // The date of a file with unknown columns is chosen in one list, with or without its time.
      self.options.columns = table.found.mapValues { String($0 + 1) }
      self.options[.date] =
        (table.found[.moment] ?? table.found[.date]).map { String($0 + 1) } ?? ""
      self.options[.moment] = ""
    }
  }

  private var asksColumns: Bool { !table.missing(in: table.found).isEmpty }
  private var missing: [Heading.Column] { table.missing(in: table.places) }

  /// The questions of the preview.
  var form: Form<FileOptions> {
    var fields: [Field<FileOptions>] = []
    if asksColumns {
      let (needed, labels) = (table.missing(in: [:]), table.labels)
      fields += table.kind.columnsToChoose.map { column in
        needed.contains(column)
          ? FileOptions.column(column, among: labels, or: "form.choose").expected
          : FileOptions.column(column, among: labels, or: "import.no-column")
      }
    }
    if missing.isEmpty {
      if people.count > 1 { fields.append(FileOptions.person(among: people).expected) }
      if needsUnit { fields.append(FileOptions.unit.expected) }
      if table.hasUnorderedDates { fields.append(FileOptions.order.expected) }
    }
    return Form(FileOptions()).adding(fields)
  }

  /// The questions without an answer.
  var problems: [Fields.Problem] {
    var problems = missing.map { Fields.Problem($0.field, "import.ask.column") }
    if !problems.isEmpty { return problems }
    if people.count > 1, person == nil, options.person != FileOptions.everybody {
      problems.append(Fields.Problem("measured_person", "import.ask.person"))
    }
    if needsUnit, Weight.Unit(rawValue: options.unit) == nil {
      problems.append(Fields.Problem("unit", "import.ask.unit"))
    }
    if table.hasUnorderedDates, WrittenTime.Order(rawValue: options.dateOrder) == nil {
      problems.append(Fields.Problem("date_order", "import.ask.date-order"))
    }
    return problems
  }

  private var person: String? {
    guard let place = FileOptions.place(options.person), people.indices.contains(place) else {
      return nil
    }
    return people[place]
  }

  /// The order of day and month.
  var order: WrittenTime.Order {
    table.order ?? WrittenTime.Order(rawValue: options.dateOrder) ?? .dayFirst
  }

  /// Returns true for a line of the person whose measurements are imported.
  func isOfPerson(_ record: CSVTable.Record) -> Bool {
    guard people.count > 1, let person else { return true }
    return table.value(.person, of: record).isIdentical(to: person)
  }
}

// MARK: What the preview says of the file

extension FileQuestions {
  /// The most columns that are named, and the number of lines that are shown beside the lists of
  /// columns.
  private static let (mostNamed, shownLines) = (12, 5)

  func about(_ context: Context) -> HTML {
    if asksColumns { return "\(missing.isEmpty ? leftOut(context) : nil)\(firstLines(context))" }
    return "\(leftOut(context))"
  }

  /// The names of the columns with values that are not imported; nil if there are none.
  private func leftOut(_ context: Context) -> HTML? {
    let taken = Set(table.places.values)
    let unused = names(context).enumerated().filter { place, _ in
      !taken.contains(place) && table.records.contains { !$0[place].isEmpty }
    }
    if unused.isEmpty { return nil }
    let shown = unused.prefix(Self.mostNamed).map { place, name -> HTML in
      place == unused[0].offset ? "<bdi>\(name)</bdi>" : ", <bdi>\(name)</bdi>"
    }
    let more: HTML? = unused.count > Self.mostNamed ? ", …" : nil
    return "<p class=\"hint\">\(context.text("import.left-out")) \(shown)\(more)</p>"
  }

  /// The columns in the visitor's language.
  private func names(_ context: Context) -> [String] {
    table.labels.map { label in
      switch label {
      case .text(let text): context.text(text)
      case .verbatim(let name): name
      }
    }
  }

  private func firstLines(_ context: Context) -> HTML {
    let title = context.text("import.first-lines")
    let places = table.file.columns.indices
    return """
      <h2>\(title)</h2><div class="scroll" tabindex="0" role="region" aria-label="\(title)">\
      <table class="data"><thead><tr>\(each: names(context), {
        "<th scope=\"col\"><bdi>\($0)</bdi></th>"
      })</tr></thead><tbody>\(each: table.records.prefix(Self.shownLines), { record in
        "<tr>\(each: places, { "<td><bdi>\(MeasurementTable.beginning(of: record[$0]))</bdi></td>" })</tr>"
      })</tbody></table></div>
      """
  }
}
