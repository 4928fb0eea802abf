/// A picture made of tiles, a symbol of `www/icons/scenes.svg`.
///
/// Its main tiles have the colour of the surrounding text, the tile that matters that of the sun,
/// and all others the `fill` of the style sheet.
enum Scene: String, CaseIterable, Sendable {
  case bell, card, door, heart, key, lamp, month, people
}

extension Icon {
  /// The scene that shows the same as the icon, but larger.
  var scene: Scene {
    switch self {
    case .bell, .mail, .phone: .bell
    case .bin, .boxArrow, .devices, .document, .download, .pill, .qr, .syringe: .card
    case .building, .check, .flag, .home, .more, .pin, .screen, .tiles: .door
    case .chart, .heart, .heartPulse, .pulse, .scale, .stethoscope: .heart
    case .dottedField, .eye, .gear, .key, .lock, .plug, .shield: .key
    case .glass, .globe, .sun: .lamp
    case .calendar, .calendarCheck, .clock: .month
    case .addressBook, .people, .person, .personMinus: .people
    }
  }
}

extension Context {
  /// Returns the scene, hidden from screen readers.
  func scene(_ scene: Scene) -> HTML {
    """
    <svg class="scene" viewBox="0 0 120 96" aria-hidden="true">\
    <use href="\(asset("icons/scenes.svg"))#\(scene.rawValue)"/></svg>
    """
  }
}
