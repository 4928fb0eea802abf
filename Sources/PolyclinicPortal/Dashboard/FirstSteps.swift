import PolyclinicCore
import PolyclinicWeb

/// The first steps of a new portal or a new person, with those that are done ticked.
struct FirstSteps {
  private struct Item {
    let title: String
    let about: String?
    let path: Path?
    let isOptional: Bool
    let isDone: Bool
  }

  private let items: [Item]

  /// Asks the modules for the steps of users with this access. A step that throws counts as not
  /// done.
  init(for access: Access, _ context: Context, _ server: ServerContext) {
    items = server.installation.firstSteps(for: access).map { step, member in
      Item(
        title: member.phrasebook.string(step.title, in: context.language),
        about: step.about.map { member.phrasebook.string($0, in: context.language) },
        path: Self.path(of: step, in: member, context, server), isOptional: step.isOptional,
        isDone: member.value(of: "first step") {
          try step.isDone(context.other(member, of: server))
        } ?? false)
    }
  }

  /// Returns the page of a step; nil if it has none or throws.
  static func path(
    of step: Link.FirstStep, in member: InstalledModule, _ context: Context, _ server: ServerContext
  ) -> Path? {
    let path = member.value(of: "first step") {
      try step.page(context.other(member, of: server))
    }
    return (path ?? nil)?.resolved(in: member.module.id)
  }

  /// True if only optional steps are left.
  var isFinished: Bool { items.allSatisfy { $0.isDone || $0.isOptional } }

  /// True if a step is left, optional or not.
  var hasMore: Bool { items.contains { !$0.isDone } }

  /// Returns the steps in order.
  func list(_ context: Context) -> HTML { "\(rows: items.map { row($0, context) })" }

  private func row(_ item: Item, _ context: Context) -> HTML {
    let mark = item.isDone ? context.badge("first-steps.done", .good) : nil
    let about: HTML? = item.about.map { "\($0)" }
    guard !item.isDone, let path = item.path else {
      return .row("\(item.title)", mark: mark, detail: about)
    }
    return .row(to: path, "\(item.title)", detail: about)
  }
}
