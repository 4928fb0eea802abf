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
        <div class="actions"><a class="button secondary small" \
        href="/account/sessions/\(session.id)/end">\(context.text("sessions.end"))</a></div>
        """
      return """
        <li><div class="item"><span><strong>\(session.name(context))</strong>\(mark)\
        <span class="secondary-text">\
        \(context.text("sessions.seen", ["time": context.formats.dateTime(session.seenAt)]))\
        </span></span>\(end)</div></li>
        """
    }
    let others: HTML? =
      sessions.count < 2
      ? nil
      : """
      <div class="actions"><a class="button danger secondary" \
      href="/account/sessions/end-others">\(context.text("sessions.end-others"))</a></div>
      """
    let trusted = try context.database.read {
      try TrustedBrowser.all(by: context.keys, at: context.now, on: $0)
    }
    return .page(
      Page(
        "sessions.title",
        "<ul class=\"rows\">\(rows)</ul>\(others)\(trusted.isEmpty ? nil : list(trusted, context))",
        back: "/account"))
  }

  /// The browsers that are not asked for the second factor.
  private func list(_ browsers: [TrustedBrowser], _ context: Context) -> HTML {
    """
    <h2>\(context.text("sessions.trusted"))</h2><p class="muted">\(context.text("sessions.trusted.about"))</p>\
    <ul class="rows">\(each: browsers, { browser in
      let name = browser.device.isEmpty ? context.text("sessions.unknown") : browser.device
      let end = context.formats.date(
        context.formats.day(of: browser.trustedAt + TrustedBrowser.lifetime))
      return """
        <li><div class="item"><span><strong>\(name)</strong><span class="secondary-text">\
        \(context.text("sessions.trusted.until", ["date": end]))</span></span><div class="actions">\
        \(context.button(
          "sessions.trusted.forget", posts: "/account/sessions/browsers/\(browser.id)/forget",
          style: "button secondary small"))</div></div></li>
        """
    })</ul>
    """
  }

  /// The session that is to be ended; ended by now, it is not found.
  func aboutSession(_ context: Context) throws -> HTML? {
    let id: ID<Sessions.Session> = try context.id()
    let sessions = try context.database.read {
      try context.front().sessions.list(by: context.keys, at: context.now, on: $0)
    }
    guard let session = sessions.first(where: { $0.id == id }) else { throw Refusal.notFound }
    return "<p>\(session.name(context))</p>"
  }

  func endSession(
    _ present: PresentPassword, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let person = try context.keys.person
    try present.requireStill(of: person, on: connection)
    guard try context.front().sessions.end(context.id(), of: person, on: connection) else {
      throw Refusal.notFound
    }
    context.visit?.record(SecurityEvent(.sessionEnded, of: person))
    return "sessions"
  }

  func endOtherSessions(
    _ present: PresentPassword, _ context: Context, _ connection: Connection
  ) throws -> Path {
    guard let visit = context.visit else { throw Refusal.notFound }
    let person = try context.keys.person
    try present.requireStill(of: person, on: connection)
    try visit.front.sessions.endAll(of: person, except: visit.session?.id, on: connection)
    visit.record(SecurityEvent(.otherSessionsEnded, of: person))
    return "sessions"
  }
}

extension Sessions.Listed {
  /// The browser, as its owner reads it.
  fileprivate func name(_ context: Context) -> String {
    device.isEmpty ? context.text("sessions.unknown") : device
  }
}
