import PolyclinicCore

/// The page for choosing how each kind of notice arrives. The inbox always has all of them.
extension NotificationsModule {
  func showPreferences(_ context: Context) throws -> Response {
    let server = try context.server()
    let keys = try context.keys
    let (chosen, address) = try context.database.read { connection in
      (
        try NoticeChoices.all(of: keys.person, on: connection),
        try MailAddressState(of: keys, server, on: connection)
      )
    }
    let groups: [HTML] = kinds.map { kind in
      group(kind, chosen[kind.name] ?? kind.kind.ways, ways(address), context)
    }
    return .page(
      Page(
        "preferences.title",
        """
        <p class="lead">\(context.text("preferences.lead"))</p>\
        \(invitation(context))\(addressPanel(address, context))\(form(groups, context))
        """,
        back: "/notifications"))
  }

  /// The available ways. E-mail is one only if the portal sends e-mails.
  private func ways(_ address: MailAddressState) -> [Notice.Kind.Way] {
    if case .withoutMail = address { return [.browser] }
    return Notice.Kind.Way.allCases
  }

  private func form(_ groups: [HTML], _ context: Context) -> HTML {
    if groups.isEmpty {
      return context.emptyState(.bell, "preferences.empty")
    }
    return """
      <form class="form" method="post" action="/notifications/preferences">\
      \(context.hiddenFields())\(groups)\(actions: context.submit("form.save"))</form>
      """
  }

  private func group(
    _ kind: OwnedNoticeKind, _ chosen: Set<Notice.Kind.Way>, _ ways: [Notice.Kind.Way],
    _ context: Context
  ) -> HTML {
    let boxes: [HTML] = ways.map { way in
      let name = Self.field(kind, way)
      return context.checkBox(
        Text("preferences.way.\(way.rawValue)"), name: name, value: "yes",
        isChecked: chosen.contains(way))
    }
    return """
      <fieldset><legend>\(context.text(kind.title))</legend><div class="fields">\(boxes)</div>\
      </fieldset>
      """
  }

  private static func field(_ kind: OwnedNoticeKind, _ way: Notice.Kind.Way) -> String {
    "\(kind.module).\(kind.kind.name).\(way.rawValue)"
  }

  /// Saves the choices. A way that the form did not offer keeps its value.
  func savePreferences(_ context: Context) throws -> Response {
    let server = try context.server()
    let keys = try context.keys
    let fields = context.request.fields
    try context.database.write { connection in
      let chosen = try NoticeChoices.all(of: keys.person, on: connection)
      let offered = ways(try MailAddressState(of: keys, server, on: connection))
      for kind in kinds {
        let former = chosen[kind.name] ?? kind.kind.ways
        let ticked = offered.filter { !fields[Self.field(kind, $0)].isEmpty }
        try NoticeChoices.set(
          former.subtracting(offered).union(ticked), for: kind.name, of: keys.person,
          on: connection)
      }
    }
    return .redirect(to: "/notifications/preferences").saying("preferences.saved")
  }
}
