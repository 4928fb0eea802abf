import PolyclinicCore
import PolyclinicWeb

/// The first steps of a new portal or a new person, with those that are done ticked.
struct FirstSteps {
  private let items: [(step: Link.FirstStep, member: InstalledModule, path: Path?, isDone: Bool)]

  /// Asks the modules for the steps of users with this access. A step that throws counts as not
  /// done.
  init(for access: Access, _ context: Context) {
    let server = context.server
    items = server.installation.firstSteps(for: access).map { step, member in
      let isDone = member.value(of: "first step") {
        try step.isDone(context.other(member, of: server))
      }
      return (step, member, member.page(of: step, context), isDone ?? false)
    }
  }

  /// True if only optional steps are left.
  var isFinished: Bool { items.allSatisfy { $0.isDone || $0.step.isOptional } }

  /// True if a step is left, optional or not.
  var hasMore: Bool { items.contains { !$0.isDone } }

  /// Returns the steps in order.
  func list(_ context: Context) -> HTML {
    let rows: [HTML] = items.map { step, member, path, isDone in
      let words = { member.phrasebook.string($0, in: context.language) }
      let about: HTML? = step.about.map { "\(words($0))" }
      guard !isDone, let path else {
        let mark = isDone ? context.badge("first-steps.done", .good) : nil
        return .row("\(words(step.title))", mark: mark, detail: about)
      }
      return .row(to: path, "\(words(step.title))", detail: about)
    }
    return "\(rows: rows)"
  }
}

extension InstalledModule {
  /// Returns the page of one of its steps; nil if the step has none or throws.
  func page(of step: Link.FirstStep, _ context: Context) -> Path? {
    let path = value(of: "first step") { try step.page(context.other(self, of: context.server)) }
    return (path ?? nil)?.resolved(in: module.id)
  }
}
