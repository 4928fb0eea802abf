import PolyclinicCore

/// The page of a list of measurements, the newest first, or an introduction if there are none.
struct MeasurementList<Entry: CodedEntry & Measured> {
  let kind: MetricsKind
  let found: SealedIndex<Entry>.Slice
  /// The notice of a deletion a moment ago, with an undo button.
  let notice: HTML?
  let context: Context
  /// A further link for the empty list.
  var besides: HTML?
  /// A note below the list.
  var source: HTML?
  /// Returns the content of a row's link.
  let line: (Entry) -> HTML

  var page: Page {
    let new: HTML = context.button(kind.new, to: "\(kind.path)/new")
    if found.isEmpty { return Page(kind.title, "\(notice)\(empty(new))", back: "") }
    let pages = context.pageLinks(found.pagination) {
      kind.path.query(["page": String($0)])
    }
    let content: HTML = """
      \(notice)\(MetricsViews.imported(kind, context))\(MetricsViews.tabs(kind, isChart: false, context))\
      <p class="count" role="status">\(context.text(kind.word("count"), count: found.pagination.total))</p>\
      \(rows: found.entries, row)\(pages)\(source)\
      \(MetricsViews.files(kind.path, context))
      """
    return Page(kind.title, content, back: "", actions: new)
  }

  private func empty(_ new: HTML) -> HTML {
    context.emptyState(
      kind.icon, kind.word("empty"), hint: kind.word("empty.hint"), actions: new,
      MetricsViews.importLink("\(kind.path)/import", context), besides)
  }

  private func row(_ entry: Entry) -> HTML {
    HTML.row(to: "\(kind.path)/\(entry.id)", content: "\(line(entry))")
  }
}
