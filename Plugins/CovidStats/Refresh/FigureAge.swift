import PolyclinicCore

/// The age of the stored figures, as a text for the administrator.
enum FigureAge {
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
      \(words(state, at: portal.now)): see whether the source can be reached from here, set a proxy, or \
      run “polyclinic covid-stats refresh --from FILE”
      """
  }

  /// Returns the age of the figures. Throws the error of the database.
  @Sendable
  static func sentence(_ portal: Portal) throws -> String? {
    words(try portal.read(RefreshState.find), at: portal.now)
  }

  private static func words(_ state: RefreshState, at now: Instant) -> String {
    if state.isFictional { return "made figures of the demonstration" }
    var words = state.fetched.map { fetched in
      let day = state.day.map { " until \($0)" } ?? ""
      return "figures\(day) from \(state.source), fetched \(span(now - fetched)) ago"
    }
    if let since = state.failingSince, let failure = state.failure {
      let failing = "no refresh has succeeded for \(span(now - since)) (\(failure.rawValue))"
      words = words.map { "\($0); \(failing)" } ?? "no figures yet; \(failing)"
    }
    return words ?? "no figures yet"
  }

  private static func span(_ span: Seconds) -> String {
    let hours = max(0, span.count) / 3_600
    return hours < 48 ? "\(hours) h" : "\(hours / 24) days"
  }
}
