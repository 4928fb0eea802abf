import PolyclinicCore

/// The card of a person's places on waiting lists.
enum OwnPlaceCard {
  /// Returns the card with a person's places and expected times; nil if the person is on no waiting
  /// list.
  static func card(_ context: Context) throws -> HTML? {
    let person = try context.keys.person
    let own = try OwnPlace.all(of: person, in: context)
    if own.isEmpty { return nil }
    return "<ul>\(try own.map { try card($0, context) })</ul>"
  }

  private static func card(_ own: OwnPlace, _ context: Context) throws -> HTML {
    let sentences = try own.sentences(context)
    return """
      <li><a href="/appointments/doctors/\(own.placement.doctor.id)">\(sentences[0])</a>\
      <span class="secondary-text">\(sentences.dropFirst().joined(separator: " "))</span></li>
      """
  }
}
