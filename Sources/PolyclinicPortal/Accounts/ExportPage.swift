import PolyclinicCore
import PolyclinicWeb

/// The page for downloading a copy of all one's data.
enum ExportPage {
  static func show(_ context: Context) throws -> Response {
    .page(
      Page(
        "export.title",
        """
        <p class="lead">\(context.text("export.lead"))</p>\
        <p>\(context.text("export.deleted")) \
        <a href="/account/deleted">\(context.text("deleted.title"))</a></p>\
        \(context.notice(.remark, "export.care", as: .warning))\
        \(context.button("export.get", posts: "/account/export"))
        """, back: "/account", width: .narrow))
  }

  static func download(_ context: Context, _ server: ServerContext) throws -> Response {
    let copy = DataCopy(server: server)
    return try context.download(
      type: "application/zip", as: "polyclinic-\(context.today).zip"
    ) { work, sink in
      try copy.write(in: work, to: sink)
    }
  }
}
