/// An icon of `www/icons.svg`, shown beside text of the same meaning.
public enum Icon: String, CaseIterable, Sendable {
  /// Each case is named for the picture, not for its meaning on a page.
  case bell, bin, building, calendar, chart, check, clock, document, eye, gear, glass, globe, heart
  case home, key, lock, mail, more, people, person, phone, pill, pin, pulse, qr, scale, screen
  case stethoscope, sun
  case calendarCheck = "calendar-check"
  case heartPulse = "heart-pulse"
}

extension Context {
  /// Returns the icon in the colour of the surrounding text, hidden from screen readers.
  public func icon(_ icon: Icon) -> HTML {
    """
    <svg class="icon" aria-hidden="true">\
    <use href="\(asset("icons.svg"))#\(icon.rawValue)"/></svg>
    """
  }
}
