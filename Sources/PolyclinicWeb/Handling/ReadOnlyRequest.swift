import PolyclinicCore

/// A request for a module's read-only resource.
struct ReadOnlyRequest {
  let admission: AdmittedRequest
  let checks: RequestChecks
  let entry: APIDirectory.ReadOnlyEntry
  /// The values of the pattern's parameters.
  let parameters: [String: String]

  /// Throws the module's errors, and ``APIRefusal/parameter(_:)`` for an invalid query.
  func answer() throws -> Response {
    let query = try checks.query()
    var request = admission.request
    request.parameters = parameters
    let context = admission.context(for: entry.member, request)
    switch entry.resource.answer {
    case .value(let read):
      if let pair = query.pairs.first {
        throw APIRefusal.parameter(String(pair.name.prefix(100)))
      }
      return .json(try read(context))
    case .list(let read):
      let range = try ListRange(query)
      let values = try read(context)
      let rest = values.dropFirst(Int(clamping: range.after))
      let shown = rest.prefix(range.limit)
      let next = rest.count > shown.count ? ListRange.cursor(after: Int64(shown.endIndex)) : nil
      return .json(ListRange.json(Array(shown), next: next))
    }
  }
}
