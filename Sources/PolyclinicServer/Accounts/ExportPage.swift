import PolyclinicCore

/// The page from which people take a copy of all their data with them.
enum ExportPage {
  static func show(_ context: Context) throws -> Response {
    .page(
      Page(
        "export.title",
        """
        <p class="lead">\(context.text("export.lead"))</p>\
        <div class="notice warning"><p>\(context.text("export.care"))</p></div>\
        \(context.button("export.get", posts: "/account/export"))
        """, back: "/account", width: .narrow))
  }

  static func download(_ context: Context) throws -> Response {
    let copy = DataCopy(front: try context.front(), now: context.now)
    return try context.download(
      type: "application/zip", as: "polyclinic-\(context.today).zip"
    ) { keys, connection, sink in
      try copy.write(by: keys, on: connection, to: sink)
    }
  }
}
