/// A small picture of `www/icons.svg`; it stands beside words that say the same.
public enum Icon: String, CaseIterable, Sendable {
  /// Named for what it shows, whatever it stands for.
  case bell, bin, calendar, chart, check, clock, document, eye, gear, glass, heart, key, lock, mail
  case people, person, phone, pin, pulse, screen
}

extension Context {
  /// The picture, in the colour of the words around it; a screen reader passes over it.
  public func icon(_ icon: Icon) -> HTML {
    """
    <svg class="icon" aria-hidden="true">\
    <use href="\(submissions.asset("icons.svg"))#\(icon.rawValue)"/></svg>
    """
  }
}
