import PolyclinicCore

extension AdministrationModule {
  /// The card with the number of people who wait for a role; nil if there are none.
  package func waiting(_ context: Context) throws -> HTML? {
    let waiting = try context.database.read { connection in
      try connection.integer("SELECT count(*) FROM accounts WHERE wanted_role <> ''") ?? 0
    }
    if waiting == 0 { return nil }
    return """
      <p class="figure">\(context.formats.number(waiting))</p>\
      <p class="muted">\(context.text("overview.waiting"))</p>\
      \(context.moreLink("overview.to-waiting", to: "/admin/people"))
      """
  }
}
