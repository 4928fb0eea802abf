import PolyclinicCore

/// What lies where nobody works any longer, and the ways out; patients are not named.
struct DisplacedView {
  let displaced: Displaced
  /// The names of the doctors, by number.
  private let doctors: [ID<Doctor>: String]
  private let context: Context

  init(_ displaced: Displaced, _ context: Context, on connection: Connection) throws {
    self.displaced = displaced
    self.context = context
    doctors = try displaced.doctors(by: context.portal.keys, on: connection)
  }

  private var path: Path { displaced.page.resolved(in: context.module) }

  func content(empty: Text) -> HTML {
    if displaced.bookings.isEmpty { return "<p>\(context.text(empty))</p>" }
    return """
      <p role="status">\(context.text(displaced.count))</p>\
      <ul class="rows">\(each: displaced.bookings, row)</ul>\
      <p class="actions"><a class="button" href="\(path)/move">\
      \(context.text("admin.displaced.move"))</a> \
      <a class="button danger secondary" href="\(path)/cancel">\
      \(context.text("admin.displaced.cancel"))</a></p>
      """
  }

  /// That something lies there, and the way to it; nil where nothing does.
  static func notice(of displaced: Displaced, _ context: Context) -> HTML? {
    if displaced.bookings.isEmpty { return nil }
    return """
      <div class="notice warning">\
      <p>\(context.text(displaced.count))</p>\
      <a class="button secondary small" href="\(displaced.page.resolved(in: context.module))">\
      \(context.text("admin.outside.show"))</a></div>
      """
  }

  private func row(_ booking: Booking) -> HTML {
    let formats = Formats(language: context.language, timeZone: displaced.zone)
    return """
      <li><div class="item"><span><strong>\(formats.dateTime(booking.span.lowerBound))</strong>\
      <span class="secondary-text"><bdi>\(doctors[booking.doctor] ?? "")</bdi></span></span></div></li>
      """
  }
}
