import PolyclinicCore

/// The JSON API of the figures.
extension CovidStatsModule {
  public var readOnlyResources: [Resource.ReadOnly] {
    [
      Resource.ReadOnly(
        "countries", of: "CountryFigures",
        about: "Lists the figures of all countries by their codes", schema: CountryFigures.schema,
        access: Access.toFigures,
        .list { work in
          let source = try RefreshState.find(in: work).json
          return try CountryFigures.all(in: work).map { $0.json(source) }
        }),
      Resource.ReadOnly(
        "countries/{country}", of: "CountryFigures", about: "Shows the figures of a country",
        schema: CountryFigures.schema, access: Access.toFigures,
        .value { context in
          let figures = try Self.find(context)
          return figures.json(try RefreshState.find(in: context).json)
        }),
      Resource.ReadOnly(
        "countries/{country}/series", of: "CountrySeries",
        about: "Shows all reports of a country, the earliest first", schema: Series.schema,
        access: Access.toFigures,
        .value { context in
          let figures = try Self.find(context)
          return try Series.find(figures.country, in: context)
            .json(of: figures, source: try RefreshState.find(in: context).json)
        }),
    ]
  }

  private static func find(
    _ context: Context
  ) throws -> CountryFigures {
    guard let country = context.request.parameters["country"], Figures.isCountry(country),
      let figures = try CountryFigures.find(country, in: context)
    else { throw Refusal.notFound }
    return figures
  }
}

extension RefreshState {
  /// The source of the figures, their day, and the time of the refresh; all null before the first
  /// success.
  fileprivate var json: [JSON.Member] {
    [
      JSON.Member("source", isFictional ? "fictional" : source.isEmpty ? .null : .string(source)),
      JSON.Member("day", day.json),
      JSON.Member("fetched", fetched.map { .string($0.timestamp) } ?? .null),
    ]
  }

  fileprivate static let schema: [JSON.Member] = [
    JSON.Member(
      "source",
      [
        "type": ["string", "null"],
        "description": "The source, such as `who`; `fictional` for made figures.",
      ]),
    JSON.Member("day", dateSchema("The last day of all figures, where the source says it.")),
    JSON.Member("fetched", ["type": ["string", "null"], "format": "date-time"]),
  ]
}

extension CountryFigures {
  fileprivate func json(_ source: [JSON.Member]) -> JSON {
    .object(
      [
        JSON.Member("country", .string(country)), JSON.Member("latest", latest.json),
        JSON.Member("previous", previous.json),
        JSON.Member("rhythm", .string(rhythm.rawValue)), JSON.Member("stopped", stopped.json),
        JSON.Member("cases", cases.json), JSON.Member("recovered", recovered.json),
        JSON.Member("active", active.json), JSON.Member("deaths", deaths.json),
        JSON.Member("cases_per_million", casesPerMillion.map { .number($0) } ?? .null),
        JSON.Member("deaths_per_million", deathsPerMillion.map { .number($0) } ?? .null),
      ] + source)
  }

  fileprivate static let schema = objectSchema(
    [
      JSON.Member("country", countrySchema), JSON.Member("latest", Report.schema),
      JSON.Member("previous", Report.schema), JSON.Member("rhythm", rhythmSchema),
      JSON.Member(
        "stopped", dateSchema("The last report of a country that reports no longer.")),
      JSON.Member("cases", countSchema), JSON.Member("recovered", countSchema),
      JSON.Member("active", countSchema), JSON.Member("deaths", countSchema),
      JSON.Member("cases_per_million", ["type": ["number", "null"]]),
      JSON.Member("deaths_per_million", ["type": ["number", "null"]]),
    ] + RefreshState.schema)
}

extension CountryFigures.Report {
  fileprivate var json: JSON {
    ["date": day.json, "cases": cases.json, "deaths": deaths.json]
  }

  fileprivate static let schema = objectSchema([
    JSON.Member("date", dateSchema("The day, or the last day of the week.")),
    JSON.Member("cases", countSchema), JSON.Member("deaths", countSchema),
  ])
}

extension Series {
  fileprivate func json(of figures: CountryFigures, source: [JSON.Member]) -> JSON {
    let reports = days.map { CountryFigures.Report($0).json }
    return .object(
      [
        JSON.Member("country", .string(figures.country)),
        JSON.Member("rhythm", .string(figures.rhythm.rawValue)),
        JSON.Member("reports", .array(reports)),
      ] + source)
  }

  fileprivate static let schema = objectSchema(
    [
      JSON.Member("country", countrySchema), JSON.Member("rhythm", rhythmSchema),
      JSON.Member("reports", ["type": "array", "items": CountryFigures.Report.schema]),
    ] + RefreshState.schema)
}

extension CalendarDate? {
  fileprivate var json: JSON { map { .string($0.description) } ?? .null }
}

extension Int? {
  fileprivate var json: JSON { map { .integer(Int64($0)) } ?? .null }
}

private let countrySchema: JSON = [
  "type": "string", "pattern": "^[A-Z]{2}$",
  "description": "ISO 3166-1 alpha-2, or XK for Kosovo.",
]
private let rhythmSchema: JSON = [
  "enum": ["daily", "weekly"], "description": "A weekly report holds the sum of its week.",
]
private let countSchema: JSON = [
  "type": ["integer", "null"],
  "description":
    "Null where the source does not report it; negative where it takes earlier counts back.",
]

private func dateSchema(_ about: String) -> JSON {
  ["type": ["string", "null"], "format": "date", "description": .string(about)]
}

private func objectSchema(_ properties: [JSON.Member]) -> JSON {
  [
    "type": "object", "required": .array(properties.map { .string($0.name) }),
    "properties": .object(properties),
  ]
}
