import PolyclinicCore
import PolyclinicWeb

extension Card {
  /// Returns the card as HTML; nil if it has nothing to show. A card that throws shows that it is
  /// not available and does not affect the others.
  package func html(
    of member: InstalledModule, _ context: Context, _ server: ServerContext
  ) -> HTML? {
    let heading = member.phrasebook.string(title, in: context.language)
    let content =
      member.value(of: "card") { try self.content(context.other(member, of: server)) }
      ?? "<p class=\"muted\">\(context.text("error.not-available"))</p>"
    let kind = self.kind ?? member.module.kind
    let icon = (self.icon ?? kind?.icon).map(context.icon)
    return content.map {
      "<section class=\"card\(kind?.style)\"><h2>\(icon)\(heading)</h2>\($0)</section>"
    }
  }
}
