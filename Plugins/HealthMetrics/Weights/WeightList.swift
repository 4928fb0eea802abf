import PolyclinicCore

/// The list of weights, the newest first.
struct WeightList {
  let found: Slice<Weight.Entry>
  /// What they are shown in.
  let unit: Weight.Unit
  /// That one was deleted a moment ago, and can be taken back.
  let notice: HTML?
  let context: Context

  var page: Page {
    let new: HTML = """
      <a class="button" href="/health-metrics/weights/new">\(context.text("weight.new"))</a>
      """
    if found.isEmpty {
      let content: HTML = """
        \(notice)<section class="empty">\(context.icon(.chart))<h2>\(context.text("weights.empty"))</h2>\
        <p>\(context.text("weights.empty.hint"))</p><p class="actions">\(new)\
        \(MetricsViews.importLink("/health-metrics/weights/import", context))</p></section>
        """
      return Page("weights.title", content, back: "")
    }
    let pages = context.pageLinks(found.page, of: found.pageCount) {
      "/health-metrics/weights?page=\($0)"
    }
    let content: HTML = """
      \(notice)\(MetricsViews.imported(.weights, context))\(MetricsViews.tabs(.weights, isChart: false, context))\
      <p class="count" role="status">\(context.text("weights.count", count: found.total))</p>\
      <ul class="rows">\(each: found.entries, row)</ul>\(pages)\
      \(MetricsViews.files("/health-metrics/weights", context))
      """
    return Page("weights.title", content, back: "", actions: new)
  }

  private func row(_ entry: Weight.Entry) -> HTML {
    let note: HTML? =
      entry.note.isEmpty ? nil : " · <bdi>\(utf8: entry.note)</bdi>"
    return """
      <li><a href="/health-metrics/weights/\(entry.id)"><span>\
      <strong>\(MetricsViews.weight(entry, in: unit, context))</strong>\
      <span class="secondary-text">\(context.formats.dateTime(entry.time.local))\(note)</span></span></a></li>
      """
  }
}
