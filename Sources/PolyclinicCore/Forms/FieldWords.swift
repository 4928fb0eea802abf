/// Fields shown by another module than the one whose catalog holds their texts.
extension Field {
  func speaking(for module: ModuleID) -> Field {
    switch self {
    case .single(let single): .single(single.speaking(for: module))
    case .rows(let rows): .rows(rows.speaking(for: module))
    case .group(let legend, let fields, let checks):
      .group(
        legend?.spoken(by: module), fields.map { $0.speaking(for: module) },
        checks.speaking(for: module))
    }
  }
}

extension Field.Checks {
  fileprivate func speaking(for module: ModuleID) -> Field.Checks {
    .init(
      rules: rules.map { rule in { rule($0)?.speaking(for: module) } },
      doubts: doubts.map { doubt in { try doubt($0, $1)?.speaking(for: module) } })
  }
}

extension Control {
  func speaking(for module: ModuleID) -> Control {
    var control = self
    control.label = label.spoken(by: module)
    control.hint = hint?.spoken(by: module)
    if case .choice(let options) = kind {
      control.kind = .choice { context in
        try options(context).map { choice in
          guard case .text(let text) = choice.label else { return choice }
          return Choice(choice.value, .text(text.spoken(by: module)))
        }
      }
    }
    return control
  }
}

extension Fields.Problem {
  func speaking(for module: ModuleID) -> Fields.Problem {
    Fields.Problem(field, text.spoken(by: module))
  }
}
