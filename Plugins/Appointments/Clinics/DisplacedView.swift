import PolyclinicCore

/// Days on which hours differ, with what is booked in them; patients are not named.
struct DisplacedView {
  let run: ExceptionRun
  let zone: Zone
  let displaced: Displaced
  /// The names of the doctors, by number.
  let doctors: [ID<Doctor>: String]
  let context: Context

  private var path: Path { "/appointments/admin/exceptions/\(run.id)" }

  var page: Page {
    Page(
      "admin.exception.title",
      """
      <dl class="details"><div><dt>\(context.text("admin.exception.days"))</dt>\
      <dd>\(ExceptionViews.days(of: run, context))</dd></div>\
      <div><dt>\(context.text(Text("exception.\(run.kind.rawValue)")))</dt>\
      <dd>\(ExceptionViews.time(of: run, context))</dd></div></dl>\(bookings)\
      <p class="actions"><a class="button danger secondary" href="\(path)/delete">\
      \(context.text("admin.exception.delete"))</a></p>
      """,
      back: ExceptionPages.owner(of: run))
  }

  private var bookings: HTML {
    if displaced.bookings.isEmpty {
      return "<p>\(context.text("admin.displaced.none"))</p>"
    }
    return """
      <h2>\(context.text("admin.displaced.title"))</h2>\
      <p role="status">\(context.text("admin.displaced.count", count: displaced.bookings.count))</p>\
      <ul class="rows">\(each: displaced.bookings, row)</ul>\
      <p class="actions"><a class="button" href="\(path)/move">\
      \(context.text("admin.displaced.move"))</a> \
      <a class="button danger secondary" href="\(path)/cancel">\
      \(context.text("admin.displaced.cancel"))</a></p>
      """
  }

  private func row(_ booking: Booking) -> HTML {
    let formats = Formats(language: context.language, timeZone: zone)
    return """
      <li><div class="item"><span><strong>\(formats.dateTime(booking.span.lowerBound))</strong>\
      <span class="secondary-text"><bdi>\(doctors[booking.doctor] ?? "")</bdi></span></span></div></li>
      """
  }
}
