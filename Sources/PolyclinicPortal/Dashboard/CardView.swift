import Logging
import PolyclinicCore
import PolyclinicWeb

extension Card {
  /// Returns the card as HTML; nil if it has nothing to show. A card that throws shows that it is
  /// not available and does not affect the others.
  package func html(
    of member: InstalledModule, _ context: Context, _ server: ServerContext
  ) -> HTML? {
    let heading = member.phrasebook.string(title, in: context.language)
    let content: HTML?
    do {
      content = try self.content(context.other(member, of: server))
    } catch {
      Logger(label: "card").error(
        "a card failed",
        metadata: ["module": "\(member.module.id)", "type": "\(type(of: error))"])
      content = "<p class=\"muted\">\(context.text("error.not-available"))</p>"
    }
    return content.map { "<section class=\"card\"><h2>\(heading)</h2>\($0)</section>" }
  }
}
