extension HTML {
  /// The purpose of a notice. It decides by which role a screen reader announces the notice.
  ///
  /// See WAI-ARIA 1.2, `status` and `alert`, and WCAG 2.2, 4.1.3 (Status Messages).
  public enum NoticePurpose: Sendable {
    /// The answer to an action of the visitor, or the progress of something that the visitor waits
    /// for. It is a `status`: the screen reader announces it after its current sentence. Green by
    /// default.
    case outcome
    /// An error, or a warning that needs an action of the visitor. It is an `alert`: the screen
    /// reader announces it at once. Amber by default.
    case problem
    /// A statement about the page that is there on every visit. It has no role: the screen reader
    /// reads it in its place. In the portal's own colour by default.
    case remark
  }

  /// The meaning of a notice's colour. The text says the same without the colour.
  public enum NoticeTone: Sendable {
    /// The portal's own colour.
    case information
    /// Green: an action has succeeded, or a state is good.
    case success
    /// Amber: the visitor should read this before going on.
    case warning
    /// Red: somebody's health is in danger.
    case danger
  }

  /// Returns a message of several blocks in a coloured box.
  public static func notice(
    _ purpose: NoticePurpose, _ content: HTML, as tone: NoticeTone? = nil
  ) -> HTML {
    notice(purpose, content, as: tone, style: "")
  }

  /// Returns a message with a further style and further attributes, for a script or for the
  /// portal's own pages. Both begin with a space.
  package static func notice(
    _ purpose: NoticePurpose, _ content: HTML, as tone: NoticeTone? = nil, style: HTML,
    attributes: HTML = ""
  ) -> HTML {
    """
    <div class="notice\((tone ?? purpose.tone).style)\(style)"\(purpose.role)\(attributes)>\
    \(content)</div>
    """
  }

  /// Returns medical advice in a coloured box under a heading of its own.
  ///
  /// It has no role, because it is no message to announce, and a `note` would be beside the point
  /// (WAI-ARIA 1.2).
  public static func advice(
    heading: HTML, _ content: HTML, as tone: NoticeTone = .warning
  ) -> HTML {
    """
    <section class="notice\(tone.style) advice"><div><h2>\(heading)</h2>\
    \(content)</div></section>
    """
  }
}

extension Context {
  /// Returns a message in a coloured box.
  ///
  /// `action` is the link or the form with the next step.
  ///
  /// ```swift
  /// context.notice(.outcome, "profile.saved")
  /// context.notice(.problem, "booking.taken", action: context.button("booking.others", to: others))
  /// context.notice(.remark, "clinic.closed", as: .warning)
  /// ```
  public func notice(
    _ purpose: HTML.NoticePurpose, _ message: Text, as tone: HTML.NoticeTone? = nil,
    action: HTML? = nil
  ) -> HTML {
    .notice(purpose, "<p>\(text(message))</p>\(action)", as: tone)
  }
}

extension HTML.NoticePurpose {
  fileprivate var role: HTML {
    switch self {
    case .outcome: " role=\"status\""
    case .problem: " role=\"alert\""
    case .remark: ""
    }
  }

  fileprivate var tone: HTML.NoticeTone {
    switch self {
    case .outcome: .success
    case .problem: .warning
    case .remark: .information
    }
  }
}

extension HTML.NoticeTone {
  /// The style of the box, after a space.
  fileprivate var style: HTML {
    switch self {
    case .information: ""
    case .success: " success"
    case .warning: " warning"
    case .danger: " danger"
    }
  }
}
