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
        path: member.page(of: step, context), isOptional: step.isOptional,
        isDone: member.value(of: "first step") {
          try step.isDone(context.other(member, of: server))
        } ?? false)
    }
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

extension InstalledModule {
  /// Returns the page of one of its steps; nil if the step has none or throws.
  func page(of step: Link.FirstStep, _ context: Context) -> Path? {
    let path = value(of: "first step") { try step.page(context.other(self, of: context.server)) }
    return (path ?? nil)?.resolved(in: module.id)
  }
}
