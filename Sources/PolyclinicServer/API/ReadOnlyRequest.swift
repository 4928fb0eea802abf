import PolyclinicCore

/// A request for values of a module that nobody changes over JSON.
struct ReadOnlyRequest {
  let visit: Visit
  /// Nil for a program without a token, where the resource is open to everybody.
  let caller: APICaller?
  let entry: APIDirectory.ReadOnlyEntry
  /// The segments of the path that the pattern names.
  let parameters: [String: String]

  /// Throws what the module throws, and ``APIRefusal/parameter(_:)``.
  func answer() throws -> Response {
    let query = try Gate(visit: visit).query()
    let context = visit.context(for: entry.member, caller: caller, parameters: parameters)
    switch entry.resource.answer {
    case .value(let read):
      if let pair = query.pairs.first {
        throw APIRefusal.parameter(String(pair.name.prefix(100)))
      }
      return .json(try visit.front.database.read { try read(context, $0) })
    case .list(let read):
      let range = try ListRange(query)
      let values = try visit.front.database.read { try read(context, $0) }
      let rest = values.dropFirst(Int(clamping: range.after))
      let shown = rest.prefix(range.limit)
      let next = rest.count > shown.count ? ListRange.cursor(after: Int64(shown.endIndex)) : nil
      return .json(ListRange.json(Array(shown), next: next))
    }
  }
}
