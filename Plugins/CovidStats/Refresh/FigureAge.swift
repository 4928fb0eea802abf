import PolyclinicCore

/// The age of the stored figures, as a text for the administrator.
extension RefreshState {
  /// Returns the reason for which the figures are overdue, or nil. Throws the error of the
  /// database, and `UndeclaredSetting`.
  ///
  /// A single failure is not reported, because the job tries again within the hour.
  @Sendable
  static func problem(_ portal: Portal) throws -> String? {
    let state = try portal.read(RefreshState.find)
    let span = Seconds.hours(2 * (try portal.settings.integer("refresh_hours")))
    guard !state.isFictional, let since = state.fetched ?? state.failingSince,
      portal.now - since >= span
    else { return nil }
    return """
      \(state.words(at: portal.now)): see whether the source can be reached from here, set a proxy, or \
      run “polyclinic covid-stats refresh --from FILE”
      """
  }

  /// Returns the age of the figures. Throws the error of the database.
  @Sendable
  static func sentence(_ portal: Portal) throws -> String? {
    try portal.read(RefreshState.find).words(at: portal.now)
  }

  private func words(at now: Instant) -> String {
    if isFictional { return "made figures of the demonstration" }
    var words = fetched.map { fetched in
      let day = day.map { " until \($0)" } ?? ""
      return "figures\(day) from \(source), fetched \(Self.span(now - fetched)) ago"
    }
    if let since = failingSince, let failure {
      let failing = "no refresh has succeeded for \(Self.span(now - since)) (\(failure.rawValue))"
      words = words.map { "\($0); \(failing)" } ?? "no figures yet; \(failing)"
    }
    return words ?? "no figures yet"
  }

  private static func span(_ span: Seconds) -> String {
    let hours = max(0, span.count) / 3_600
    return hours < 48 ? "\(hours) h" : "\(hours / 24) days"
  }
}
