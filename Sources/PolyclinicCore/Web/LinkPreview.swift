/// The card that messengers show for a pasted link to a page that everybody may read (the Open Graph
/// protocol, https://ogp.me).
public struct LinkPreview: Sendable {
  /// The page's name, such as a country's.
  public let title: String
  /// One sentence with what the page says.
  public let summary: String
  /// A picture of 1200 × 630 pixels.
  public let image: Path

  /// A card with all three.
  public init(title: String, summary: String, image: Path) {
    self.title = title
    self.summary = summary
    self.image = image
  }
}
