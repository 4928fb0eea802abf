import Foundation
import PolyclinicCore
import PolyclinicSystem

/// A colour of sRGB, with channels from 0 to 255.
struct Colour: Equatable {
  let red, green, blue: Double

  /// Reads `#` and six hexadecimal digits; nil for any other text.
  init?(_ text: String) {
    guard let digits = text.wholeMatch(of: /#([0-9A-Fa-f]{6})/)?.1,
      let number = Int(digits, radix: 16)
    else { return nil }
    self.init(
      red: Double(number >> 16), green: Double(number >> 8 & 255), blue: Double(number & 255))
  }

  private init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red.rounded(), green.rounded(), blue.rounded())
  }

  static let white = Colour(red: 255, green: 255, blue: 255)
  static let black = Colour(red: 0, green: 0, blue: 0)

  /// The colour as style sheets write it.
  var text: String {
    "#"
      + [red, green, blue].map { channel in
        let digits = String(Int(channel), radix: 16)
        return digits.count < 2 ? "0" + digits : digits
      }.joined()
  }

  /// Returns this colour with a share of another one, from 0 to 1.
  func mixed(with other: Colour, _ share: Double) -> Colour {
    Colour(
      red: red + (other.red - red) * share, green: green + (other.green - green) * share,
      blue: blue + (other.blue - blue) * share)
  }

  /// The relative luminance (WCAG 2.2, “relative luminance”).
  private var luminance: Double {
    func linear(_ channel: Double) -> Double {
      let value = channel / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the contrast, from 1 to 21 (WCAG 2.2, “contrast ratio”).
  func contrast(to other: Colour) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Returns true if text of this colour is legible on all grounds (WCAG 2.2, 1.4.3, level AA).
  func isLegible(on grounds: [Colour]) -> Bool {
    grounds.allSatisfy { contrast(to: $0) >= 4.5 }
  }

  /// Returns the colour with the smallest share of another one that fulfils the condition, or else
  /// the other one.
  func mixed(with other: Colour, until isEnough: (Colour) -> Bool) -> Colour {
    (0...255).lazy.map { mixed(with: other, Double($0) / 255) }.first(where: isEnough) ?? other
  }
}

/// A clinic's own colour, in place of the portal's: that of links and buttons in the light scheme.
/// All other shades are computed from it.
package struct Accent {
  private let colour: Colour

  /// Reads `#` and six hexadecimal digits; nil for any other text.
  package init?(_ text: String) {
    guard let colour = Colour(text) else { return nil }
    self.colour = colour
  }

  /// The grounds of `style.css` on which links stand; the first is also the text of buttons.
  static let lightGrounds = ["#ffffff", "#f8f4ec", "#f1ebdf", "#fce9e6", "#dff2e5", "#fbe9d6"]
  static let darkGrounds = ["#192426", "#0e1718", "#131d1f", "#3a1f1e", "#1a3423", "#382818"]

  private static let light = lightGrounds.compactMap(Colour.init)
  private static let dark = darkGrounds.compactMap(Colour.init)

  /// True if white text is legible on the colour, and its text on the portal's light grounds.
  package var isLegible: Bool { colour.isLegible(on: Self.light) }

  /// The nearest shade of the same hue that is legible.
  package var nearestLegible: String {
    colour.mixed(with: .black) { $0.isLegible(on: Self.light) }.text
  }

  /// The rules that replace the portal's colour in `style.css`.
  var rules: String {
    """
    :root{\(lightTokens)}
    @media (prefers-color-scheme:dark){:root{\(darkTokens)}}

    """
  }

  private var lightTokens: String {
    // At most the tint of the portal's own colour, and less if links on it were illegible.
    let tint = Colour.white.mixed(with: colour, 0.12).mixed(with: .white) {
      colour.isLegible(on: [$0])
    }
    let tintInk = colour.mixed(with: .black) { $0.contrast(to: tint) >= 7 }
    return Self.tokens(
      colour, strong: colour.mixed(with: .black, 0.25), ink: .white, tint: tint, tintInk: tintInk)
  }

  private var darkTokens: String {
    func tint(of shade: Colour) -> Colour { Self.dark[0].mixed(with: shade, 0.15) }
    let shade = colour.mixed(with: .white) { shade in
      shade.contrast(to: Self.dark[0]) >= 7 && shade.isLegible(on: Self.dark + [tint(of: shade)])
    }
    let tint = tint(of: shade)
    return Self.tokens(
      shade, strong: shade.mixed(with: .white, 0.3),
      ink: colour.mixed(with: .black, 0.7).mixed(with: .black) { $0.isLegible(on: [shade]) },
      tint: tint, tintInk: shade.mixed(with: .white) { $0.contrast(to: tint) >= 7 })
  }

  private static func tokens(
    _ colour: Colour, strong: Colour, ink: Colour, tint: Colour, tintInk: Colour
  ) -> String {
    """
    --accent:\(colour.text);--accent-strong:\(strong.text);--accent-ink:\(ink.text);\
    --tint:\(tint.text);--tint-ink:\(tintInk.text)
    """
  }
}

/// A clinic's own logo, in place of the portal's mark.
package struct ClinicLogo {
  let content: [UInt8]
  /// True for a drawing (SVG), false for a picture (PNG).
  let isDrawing: Bool

  /// The size limit in bytes, because every page shows it.
  package static let limit = 65_536

  /// Reads the file. Returns nil if it is neither SVG nor PNG, or larger than ``limit``.
  package init?(at path: String) throws(SystemError) {
    content = try OpenFile.reading(path).read(upTo: Self.limit + 1)
    isDrawing = String(decoding: content.prefix(4_096), as: UTF8.self).contains("<svg")
    // The signature of PNG (W3C PNG, 5.2).
    let isPicture = content.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    if content.count > Self.limit || !isDrawing && !isPicture { return nil }
  }
}

extension Portal.Organization {
  /// Returns the rules with the organization's colour and its logo, behind those of the modules;
  /// empty if it has neither.
  func style(logo: Path?) -> String {
    var rules = Accent(accent)?.rules ?? ""
    if let logo {
      rules += """
        .brand img{width:auto;max-width:8rem;padding:2px;border-radius:4px;background:#fff;object-fit:contain}
        main.outside::before{background-image:url("\(logo)")}

        """
    }
    return rules
  }
}
