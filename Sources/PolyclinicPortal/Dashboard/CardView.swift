import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

extension Card {
  /// Returns the card as HTML; nil if it has nothing to show. A card that throws shows that it is
  /// not available and does not affect the others.
  func html(of member: InstalledModule, _ context: Context) -> HTML? {
    var due: [HTML] = []
    return html(of: member, isQuiet: false, &due, context)
  }

  /// Returns the card as the home page of a person shows it, and appends the rows of what is due
  /// today. A card of little weight is quiet, without a tinted head.
  func html(of member: InstalledModule, _ due: inout [HTML], _ context: Context) -> HTML? {
    let isQuiet = first == nil && rank.rawValue >= Rank.documents.rawValue
    return html(of: member, isQuiet: isQuiet, &due, context)
  }

  private func html(
    of member: InstalledModule, isQuiet: Bool, _ due: inout [HTML], _ context: Context
  ) -> HTML? {
    let title =
      self.heading.flatMap { read in
        member.value(of: "heading") { try read(context.other(member, of: context.server)) }
      } ?? self.title
    let heading = member.phrasebook.string(title, in: context.language)
    let content =
      member.value(of: "card") {
        try self.content(context.other(member, of: context.server), &due)
      } ?? "<p class=\"muted\">\(context.text("error.not-available"))</p>"
    let kind = self.kind ?? member.module.kind
    let icon = (self.icon ?? kind?.icon).map(context.icon)
    let words: HTML = "\(icon)\(heading)"
    let head = page.map { page -> HTML in
      "<a href=\"\(page.resolved(in: member.module.id))\"><span>\(words)</span></a>"
    }
    return content.map {
      """
      <section class="card\(attribute: " quiet", if: isQuiet)\(kind?.style)">\
      <h2>\(head ?? words)</h2>\($0)</section>
      """
    }
  }
}

extension InstalledModule {
  /// Returns the value of a part that the module adds to a page, such as a card. Returns nil and
  /// logs an error if `body` throws, so that a failing module does not affect the parts of the
  /// others.
  func value<Value>(of part: StaticString, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      CurrentRequest.name.thrown?(error)
      Logger(label: "module").error(
        "a part of a page failed",
        metadata: ["part": "\(part)", "module": "\(module.id)", "type": "\(type(of: error))"])
      return nil
    }
  }
}
