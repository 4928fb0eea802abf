import PolyclinicCore

/// A list of measurements, the newest first, or what stands there before the first.
struct MeasurementList<Entry: SealedEntry & Measured> {
  let kind: MetricsKind
  let found: Slice<Entry>
  /// That one was deleted a moment ago, and can be taken back.
  let notice: HTML?
  let context: Context
  /// Where to go besides, when there is nothing yet.
  var besides: HTML?
  /// What stands below the list.
  var source: HTML?
  /// What a line says of one, within its link.
  let line: (Entry) -> HTML

  var page: Page {
    let new: HTML = "<a class=\"button\" href=\"\(kind.path)/new\">\(context.text(kind.new))</a>"
    if found.isEmpty { return Page(kind.title, "\(notice)\(empty(new))", back: "") }
    let pages = context.pageLinks(found.pagination) {
      kind.path.query(["page": String($0)])
    }
    let content: HTML = """
      \(notice)\(MetricsViews.imported(kind, context))\(MetricsViews.tabs(kind, isChart: false, context))\
      <p class="count" role="status">\(context.text(kind.word("count"), count: found.pagination.total))</p>\
      <ul class="rows">\(each: found.entries, row)</ul>\(pages)\(source)\
      \(MetricsViews.files(kind.path, context))
      """
    return Page(kind.title, content, back: "", actions: new)
  }

  private func empty(_ new: HTML) -> HTML {
    """
    <section class="empty">\(context.icon(kind.icon))<h2>\(context.text(kind.word("empty")))</h2>\
    <p>\(context.text(kind.word("empty.hint")))</p><p class="actions">\(new)\
    \(MetricsViews.importLink("\(kind.path)/import", context))\(besides)</p></section>
    """
  }

  private func row(_ entry: Entry) -> HTML {
    "<li><a href=\"\(kind.path)/\(entry.id)\"><span>\(line(entry))</span></a></li>"
  }
}
