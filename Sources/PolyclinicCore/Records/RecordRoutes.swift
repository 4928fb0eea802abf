/// The pages of records that need no handlers of their own: the list, a new record, its change and
/// its deletion.
extension Route {
  /// Returns a page with a person's records, with a button for a new one.
  ///
  /// Each row shows the record's `name`, which opens the page `opens`, and a button that leads to
  /// `deletes`; `{id}` is the number of the record. `detail` returns a quieter second line. Right
  /// after a deletion the page offers "Undo". It uses the texts `list.new`, `list.empty`,
  /// `list.count` and `list.delete`; see ``Records/named(_:by:)`` for several kinds of records.
  public static func list<Entry>(
    _ path: Path, _ records: Records<Entry>, title: Text, icon: Icon = .document,
    new: Path = "new", opens: Path = "{id}/edit", deletes: Path = "{id}/delete",
    name: @escaping @Sendable (Entry) -> String,
    detail: @escaping @Sendable (Entry, Context) -> HTML? = { _, _ in nil }
  ) -> Route {
    .get(path) { context in
      let module = context.module
      let found = try records.index.page(context.request.query.page, in: context)
      let notice = try records.undoNotice(context)
      let row = { (entry: Entry, context: Context) -> HTML in
        let number = ["id": entry.id.description]
        let deletion = context.button(
          records.key("list.delete"), to: deletes.resolved(in: module).filled(with: number),
          style: [.plain, .danger, .small], of: name(entry))
        return .row(
          "<a href=\"\(opens.resolved(in: module).filled(with: number))\"><bdi>\(name(entry))</bdi></a>",
          detail: detail(entry, context), actions: deletion)
      }
      let button = context.button(records.key("list.new"), to: new.resolved(in: module))
      if found.isEmpty {
        let empty = context.emptyState(
          icon, records.key("list.empty"), ghosts: 2, actions: button)
        return .page(title, "\(notice)\(empty)")
      }
      let list = path.resolved(in: module)
      let pages = context.pageLinks(found.pagination) { list.query(["page": String($0)]) }
      let count = Text(records.key("list.count").key, count: found.pagination.total)
      let content: HTML = """
        \(notice)\(context.resultCount(count))\
        \(rows: found.entries, { row($0, context) })\(pages)
        """
      return .page(Page(title, content, actions: button))
    }
  }

  /// Returns a page with a form that stores a new record and leads to `list`. `start` returns the
  /// initial values, such as the current time.
  public static func create<Entry>(
    _ path: Path, _ records: Records<Entry>, title: Text, list: Path = "",
    start: (@Sendable (Context) throws -> Entry.Record)? = nil
  ) -> Route {
    let page = FormPage<Void, Entry.Record>(
      records.form, title: title, cancel: list, load: { _ in },
      start: { try start?($1) ?? records.form.blank },
      save: { record, _, context in
        _ = try records.insert(record, in: context)
        return Redirect(to: list)
      })
    return Route(path, access: .signedIn, answer: .form(page)).titled(title)
      .saying("form.saved")
  }

  /// Returns a page with a form that changes the record with the `{id}` of the path and leads to
  /// `list`, in which `{id}` is its number.
  ///
  /// A form filled in from an outdated version is not saved; the page shows the stored and the
  /// typed values instead. `about` returns the content above the fields for the stored record, and
  /// `prepare` runs before the transaction.
  public static func edit<Entry>(
    _ path: Path, _ records: Records<Entry>, title: Text, list: Path = "",
    about: (@Sendable (Entry.Record, Context) throws -> HTML?)? = nil,
    prepare: (@Sendable (inout Entry.Record, Context) throws -> Void)? = nil
  ) -> Route {
    var page = FormPage<Entry.Record, Entry.Record>(
      records.form, title: title, cancel: list, load: records.load, start: { stored, _ in stored },
      save: { record, stored, context in
        try records.replace(
          records.entry(stored, context.id()), with: record, in: context)
        return Redirect(to: list.filled(with: context.request.parameters))
      })
    page.isVersioned = true
    page.about = about
    if let prepare { page.prepare = { try prepare(&$0, $2) } }
    return Route(path, access: .signedIn, answer: .form(page)).titled(title)
      .saying("form.saved")
  }

  /// Returns a page that asks for confirmation before it deletes the record with the `{id}` of the
  /// path.
  ///
  /// Yes leads to `list`, by default the module's first page, where
  /// ``Records/undoNotice(_:saying:)`` offers to undo the deletion. No leads to `cancel`. The page
  /// uses the texts `delete.title` and `delete.question`, which a module can override; see
  /// ``Records/named(_:by:)``.
  public static func delete<Entry>(
    _ path: Path, _ records: Records<Entry>, cancel: Path, list: Path = ""
  ) -> Route {
    var page = FormPage<Void, Void>(
      Form(()), title: records.key("delete.title"), cancel: cancel, load: { _ in },
      start: { _, _ in },
      save: { _, _, context in
        let id: ID<Entry.Record> = try context.id()
        try records.delete(id, in: context)
        return Redirect(to: list.query(["deleted": id.description]))
      })
    page.submitLabel = "delete.yes"
    page.kind = .question
    page.about = { _, context in
      let question = records.sentence("delete.question", of: try records.load(context))
      return """
        <p>\(context.text(question))</p>\
        <p class="hint">\(context.text("delete.hint"))</p>
        """
    }
    return Route(path, access: .signedIn, answer: .form(page))
  }
}
