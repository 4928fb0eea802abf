extension Page {
  /// The preview that messengers show for a link to a public page (the Open Graph protocol,
  /// https://ogp.me).
  public struct LinkPreview: Sendable {
    /// The page's name, such as a country's.
    public let title: String
    /// A summary of the page in one sentence.
    public let summary: String
    /// A picture of 1200 × 630 pixels.
    public let image: Path

    /// Creates a preview with a title, a summary and a picture.
    public init(title: String, summary: String, image: Path) {
      self.title = title
      self.summary = summary
      self.image = image
    }
  }
}
