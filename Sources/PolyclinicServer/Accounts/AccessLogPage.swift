import PolyclinicCore

extension AccountsModule {
  func showAccessLog(_ context: Context) throws -> Response {
    let front = try context.front()
    let accesses = try context.database.read {
      try KeyCabinet(front.vault).accesses(to: context.keys, on: $0)
    }
    let rows: [HTML] = accesses.map { access in
      """
      <li><div class="item"><span><strong>\(access.looker)</strong> \
      <span class="badge">\(context.text(Text("role.\(access.role)")))</span>\
      <span class="secondary-text">\(context.formats.dateTime(access.hour)) · \
      \(context.text(Text("access.reason.\(access.reason)"))) · \
      \(context.text("access.count", count: access.count))</span></span></div></li>
      """
    }
    let list: HTML =
      rows.isEmpty
      ? "<div class=\"empty\">\(context.icon(.eye))<p>\(context.text("access.empty"))</p></div>"
      : "<ul class=\"rows\">\(rows)</ul>"
    return .page(
      Page(
        "access.title", "<p class=\"lead\">\(context.text("access.lead"))</p>\(list)",
        back: "/account"))
  }
}
