import PolyclinicCore

/// The ways in which each kind of notice comes, as its reader chooses. The inbox has them all.
extension NotificationsModule {
  func showPreferences(_ context: Context) throws -> Response {
    let front = try context.front()
    let keys = try context.keys
    let (chosen, address) = try context.database.read { connection in
      (
        try NoticeChoices.all(of: keys.person, on: connection),
        try MailAddressState(of: keys, front, on: connection)
      )
    }
    let saved: HTML? =
      context.request.query["changed"].isEmpty
      ? nil
      : """
      <div class="notice success" role="status"><p>\(context.text("preferences.saved"))</p></div>
      """
    let groups: [HTML] = kinds.map { kind in
      group(kind, chosen[kind.name] ?? kind.kind.ways, ways(address), context)
    }
    return .page(
      Page(
        "preferences.title",
        """
        \(saved)<p class="lead">\(context.text("preferences.lead"))</p>\
        \(invitation(context))\(addressPanel(address, context))\(form(groups, context))
        """,
        back: "/notifications"))
  }

  /// By e-mail only where the portal sends any.
  private func ways(_ address: MailAddressState) -> [NoticeKind.Way] {
    if case .withoutMail = address { return [.browser] }
    return NoticeKind.Way.allCases
  }

  private func form(_ groups: [HTML], _ context: Context) -> HTML {
    if groups.isEmpty {
      return """
        <section class="empty">\(context.icon(.bell))<h2>\(context.text("preferences.empty"))</h2>\
        </section>
        """
    }
    return """
      <form class="form" method="post" action="/notifications/preferences">\
      \(context.hiddenFields())\(groups)<p class="actions">\
      <button class="button">\(context.text("form.save"))</button></p></form>
      """
  }

  private func group(
    _ kind: OwnedNoticeKind, _ chosen: Set<NoticeKind.Way>, _ ways: [NoticeKind.Way],
    _ context: Context
  ) -> HTML {
    let boxes: [HTML] = ways.map { way in
      let name = Self.field(kind, way)
      return """
        <div class="field check"><input type="checkbox" id="\(name)" name="\(name)" value="yes"\
        \(attribute: " checked", if: chosen.contains(way))><label for="\(name)">\
        \(context.text(Text("preferences.way.\(way.rawValue)")))</label></div>
        """
    }
    return """
      <fieldset><legend>\(context.text(kind.title))</legend><div class="fields">\(boxes)</div>\
      </fieldset>
      """
  }

  private static func field(_ kind: OwnedNoticeKind, _ way: NoticeKind.Way) -> String {
    "\(kind.module).\(kind.kind.name).\(way.rawValue)"
  }

  /// A way that was not offered stays as it was.
  func savePreferences(_ context: Context) throws -> Response {
    let front = try context.front()
    let keys = try context.keys
    let fields = context.request.fields
    try context.database.write { connection in
      let chosen = try NoticeChoices.all(of: keys.person, on: connection)
      let offered = ways(try MailAddressState(of: keys, front, on: connection))
      for kind in kinds {
        let former = chosen[kind.name] ?? kind.kind.ways
        let ticked = offered.filter { !fields[Self.field(kind, $0)].isEmpty }
        try NoticeChoices.set(
          former.subtracting(offered).union(ticked), for: kind.name, of: keys.person,
          on: connection)
      }
    }
    return .redirect(to: Path("/notifications/preferences").query(["changed": "yes"]))
  }
}
