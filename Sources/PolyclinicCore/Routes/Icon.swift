/// An icon of `www/icons/icons.svg`, shown beside text of the same meaning.
///
/// Each stands for one thing: `docs/design-language.md` lists them.
public enum Icon: String, CaseIterable, Sendable {
  /// Each case is named for the picture, not for its meaning on a page.
  case bell, bin, building, calendar, chart, check, clock, devices, document, download, eye, flag
  case gear, glass, globe, heart, home, key, lock, mail, more, people, person, phone, pill, pin
  case plug, pulse, qr, scale, screen, shield, stethoscope, sun, syringe, tiles
  case addressBook = "address-book"
  case boxArrow = "box-arrow"
  case calendarCheck = "calendar-check"
  case dottedField = "dotted-field"
  case heartPulse = "heart-pulse"
  case personMinus = "person-minus"
}

extension Icon {
  /// A kind of data, such as blood pressure, with a colour and an icon of its own.
  ///
  /// The colour is that of a class in a style sheet for every page, ``Module/assets``:
  /// `.kind-weight { --kind: #846015; --kind-tint: #f3efe8 }`, with a rule for dark mode.
  ///
  /// ```swift
  /// extension Icon.Kind {
  ///   static let weight = Icon.Kind("weight", .scale)
  /// }
  /// ```
  public struct Kind: Sendable {
    /// The name of the colour. A style sheet of the module has the class `kind-` with this name.
    public let name: StaticString
    /// The icon beside headings.
    public let icon: Icon

    /// Creates a kind of data from the name of its colour and its icon.
    public init(_ name: StaticString, _ icon: Icon) {
      self.name = name
      self.icon = icon
    }

    /// The class of an element in whose icons, badges and charts the colour shows; after a space.
    public var style: HTML { " kind-\(name)" }
  }
}

extension Context {
  /// Returns the icon in the colour of the surrounding text, hidden from screen readers.
  public func icon(_ icon: Icon) -> HTML {
    """
    <svg class="icon" aria-hidden="true">\
    <use href="\(asset("icons/icons.svg"))#\(icon.rawValue)"/></svg>
    """
  }
}
