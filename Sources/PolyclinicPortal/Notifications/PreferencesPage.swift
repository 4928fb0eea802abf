import PolyclinicCore

/// The page for choosing how each kind of notice arrives. The inbox always has all of them.
extension NotificationsModule {
  func showPreferences(_ context: Context) throws -> Response {
    let server = self.server()
    let keys = try context.keys
    let chosen = try NoticeChoices.all(of: keys.person, on: context)
    let address = try MailAddressState(of: keys, server, on: context)
    let rows: [HTML] = kinds.map { kind in
      row(kind, chosen[kind.name] ?? kind.kind.ways, ways(address), context)
    }
    return .page(
      Page(
        "preferences.title",
        """
        <p class="lead">\(context.text("preferences.lead"))</p>\
        \(context.browserNoticesInvitation())\(addressPanel(address, context))\(form(rows, ways(address), context))
        """,
        back: "/notifications", assets: [.browserNotices]))
  }

  /// The available ways. E-mail is one only if the portal sends e-mails.
  private func ways(_ address: MailAddressState) -> [Notice.Kind.Way] {
    if case .withoutMail = address { return [.browser] }
    return Notice.Kind.Way.allCases
  }

  private func form(
    _ rows: [HTML], _ ways: [Notice.Kind.Way], _ context: Context
  ) -> HTML {
    if rows.isEmpty {
      return context.emptyState(.bell, "preferences.empty")
    }
    let heads: [HTML] = ways.map {
      "<th scope=\"col\">\(context.text(Text("preferences.way.\($0.rawValue)")))</th>"
    }
    return """
      <form method="post" action="/notifications/preferences">\(context.hiddenFields())\
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("preferences.title"))">\
      <table class="data ways"><thead><tr><th scope="col">\(context.text("preferences.kind"))</th>\
      \(heads)</tr></thead><tbody>\(rows)</tbody></table></div>\
      \(actions: context.submit("form.save"))</form>
      """
  }

  /// A kind of notice with a check box for each way.
  private func row(
    _ kind: OwnedNoticeKind, _ chosen: Set<Notice.Kind.Way>, _ ways: [Notice.Kind.Way],
    _ context: Context
  ) -> HTML {
    let title = context.text(kind.title)
    let boxes: [HTML] = ways.map { way in
      let name = Self.field(kind, way)
      let label = "\(title): \(context.text(Text("preferences.way.\(way.rawValue)")))"
      return """
        <td><input type="checkbox" id="\(name)" name="\(name)" value="yes" aria-label="\(label)"\
        \(attribute: " checked", if: chosen.contains(way))></td>
        """
    }
    return "<tr><th scope=\"row\">\(title)</th>\(boxes)</tr>"
  }

  private static func field(_ kind: OwnedNoticeKind, _ way: Notice.Kind.Way) -> String {
    "\(kind.module).\(kind.kind.name).\(way.rawValue)"
  }

  /// Saves the choices. A way that the form did not offer keeps its value.
  func savePreferences(_ context: Context) throws -> Path {
    let keys = try context.keys
    let fields = context.request.fields
    let chosen = try NoticeChoices.all(of: keys.person, on: context)
    let offered = ways(try MailAddressState(of: keys, server(), on: context))
    for kind in kinds {
      let former = chosen[kind.name] ?? kind.kind.ways
      let ticked = offered.filter { !fields[Self.field(kind, $0)].isEmpty }
      try NoticeChoices.set(
        former.subtracting(offered).union(ticked), for: kind.name, of: keys.person, on: context)
    }
    return "preferences"
  }
}
