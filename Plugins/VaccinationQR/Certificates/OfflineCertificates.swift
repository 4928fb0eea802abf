import PolyclinicCore

extension CertificatePages {
  /// Returns the certificates for offline use: each code with its name, holder and kind. Pictures
  /// are not stored offline.
  static func offlineCertificates(_ context: Context) throws -> HTML? {
    let cards = try Certificate.entries(in: context).flatMap { entry in
      let cards = try printedCards(of: entry, context)
      return cards.isEmpty ? [pictureCard(entry, context)] : cards
    }
    if cards.isEmpty { return nil }
    return "<ul class=\"printed-cards\">\(each: cards, { "<li>\($0)</li>" })</ul>"
  }

  private static func pictureCard(_ entry: Certificate.Entry, _ context: Context) -> HTML {
    """
    <p><strong><bdi>\(CertificateViews.name(entry.label, context))</bdi></strong>\
    <span class="secondary-text">\(context.text("offline.picture"))</span></p>
    """
  }
}
