import PolyclinicCore

/// The samples of the tokens of `style.css`, and of all icons.
struct TokenSamples {
  let context: Context

  private static let sizes: [StaticString] = ["huge", "h1", "h2", "large", "small"]
  private static let spaces: [StaticString] = ["s1", "s2", "s3", "s4", "s5", "s6"]
  /// The colours of letters, each with a ground on which they are legible.
  private static let colours: [(ink: StaticString, ground: StaticString)] = [
    ("ink", "page"), ("ink", "surface"), ("ink", "line"), ("muted", "page"), ("muted", "sunken"),
    ("bar-ink", "bar"), ("bar-muted", "bar"), ("accent", "surface"), ("accent-ink", "accent"),
    ("tint-ink", "tint"), ("sun-ink", "sun"), ("danger", "danger-tint"),
    ("danger-ink", "danger"), ("success", "success-tint"), ("surface", "success"),
    ("warning", "warning-tint"),
  ]

  /// A line of text in each size.
  var sizes: HTML {
    let rows: [HTML] = Self.sizes.map { size in
      HTML.row(
        content: """
          <span class="size-\(size)">\(context.text("list.name"))</span>\
          <span class="secondary-text">\(token(size))</span>
          """)
    }
    return "\(rows: rows)"
  }

  /// A bar of the width of each distance.
  var spaces: HTML {
    swatches(Self.spaces) { space in
      "<li><span>\(token(space))<i class=\"space space-\(space)\"></i></span></li>"
    }
  }

  /// Each colour of letters on its ground. The frames have the colour of the borders of fields.
  var colours: HTML {
    swatches(Self.colours) { colour in
      """
      <li class="ink-\(colour.ink) ground-\(colour.ground)"><span>\(context.text("colour.sample"))\
      <code dir="ltr">--\(colour.ink) / --\(colour.ground)</code></span></li>
      """
    }
  }

  /// Each icon with the one thing that it stands for.
  var icons: HTML {
    swatches(Icon.allCases) { icon in
      """
      <li>\(context.icon(icon))<span>\(context.text(Text("icon.\(icon.rawValue)")))\
      <code dir="ltr">\(icon.rawValue)</code></span></li>
      """
    }
  }

  private func token(_ name: StaticString) -> HTML { "<code dir=\"ltr\">--\(name)</code>" }

  private func swatches<Sample>(_ samples: [Sample], _ swatch: (Sample) -> HTML) -> HTML {
    "<ul class=\"swatches\">\(each: samples, swatch)</ul>"
  }
}
