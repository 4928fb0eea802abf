import PolyclinicCore

extension AccountsModule {
  func listSessions(_ context: Context) throws -> Response {
    guard let visit = context.visit else { throw Refusal.notFound }
    let sessions = try context.database.read {
      try visit.front.sessions.list(by: context.keys, at: context.now, on: $0)
    }
    let rows: [HTML] = sessions.map { session in
      let isThis = session.id == visit.session?.id
      let mark: HTML? =
        isThis ? " <span class=\"badge ok\">\(context.text("sessions.this"))</span>" : nil
      let end: HTML? =
        isThis
        ? nil
        : """
        <div class="actions">\(context.button(
          "sessions.end", posts: "/account/sessions/\(session.id)/end",
          style: "button secondary small"))</div>
        """
      let device = session.device.isEmpty ? context.text("sessions.unknown") : session.device
      return """
        <li><div class="item"><span><strong>\(device)</strong>\(mark)\
        <span class="secondary-text">\
        \(context.text("sessions.seen", ["time": context.formats.dateTime(session.seenAt)]))\
        </span></span>\(end)</div></li>
        """
    }
    let others: HTML? =
      sessions.count < 2
      ? nil
      : """
      <div class="actions">\(context.button(
        "sessions.end-others", posts: "/account/sessions/end-others", style: "button danger secondary"))</div>
      """
    return .page(
      Page("sessions.title", "<ul class=\"rows\">\(rows)</ul>\(others)", back: "/account"))
  }

  func endSession(_ context: Context) throws -> Response {
    let id: ID<Sessions.Session> = try context.id()
    let front = try context.front()
    let isEnded = try context.database.write {
      try front.sessions.end(id, of: try context.keys.person, on: $0)
    }
    if !isEnded { throw Refusal.notFound }
    return .redirect(to: "/account/sessions")
  }

  func endOtherSessions(_ context: Context) throws -> Response {
    guard let visit = context.visit else { throw Refusal.notFound }
    try context.database.write {
      try visit.front.sessions.endAll(
        of: try context.keys.person, except: visit.session?.id, on: $0)
    }
    return .redirect(to: "/account/sessions")
  }
}
