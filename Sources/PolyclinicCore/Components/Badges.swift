extension HTML {
  /// The meaning of a badge's colour. The word says the same without the colour.
  public enum BadgeTone: Sendable {
    /// A property that is neither good nor bad.
    case neutral
    /// A state as it should be.
    case good
    /// A state that waits for somebody.
    case waiting
    /// A state of this moment, such as today, next or due, in the colour of the sun.
    case now
    /// A state that is over or switched off.
    case off
    /// A state that needs attention.
    case danger
  }
}

extension Context {
  /// Returns a state in a word or two, in a coloured frame.
  ///
  /// ```swift
  /// context.badge("tokens.ended", .off)
  /// ```
  public func badge(_ word: Text, _ tone: HTML.BadgeTone = .neutral) -> HTML {
    "<span class=\"badge\(tone.style)\">\(text(word))</span>"
  }
}

extension HTML.BadgeTone {
  /// The style of the frame, after a space.
  fileprivate var style: HTML {
    switch self {
    case .neutral: ""
    case .good: " ok"
    case .waiting: " waiting"
    case .now: " now"
    case .off: " off"
    case .danger: " danger"
    }
  }
}
