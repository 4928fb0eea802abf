/// A parsed entry of a catalog.
enum Phrase: Sendable, Equatable {
  case plain(String)
  case template(Template)
  case plural([Plural: Template])

  /// Parses an entry of a catalog's file; throws ``PhraseFault`` if it is invalid.
  init(_ value: JSON, in language: Language) throws(PhraseFault) {
    switch value {
    case .string(let text):
      let template = try Self.template(text)
      self = template.placeholders.isEmpty ? .plain(text) : .template(template)
    case .object(let forms):
      self = .plural(try Self.plural(forms, in: language))
    default: throw .noText
    }
  }

  var isPlural: Bool { if case .plural = self { true } else { false } }

  /// The templates, each with its plural category; nil for a phrase without plural forms.
  var forms: [(Plural?, Template)] {
    switch self {
    case .plain: [(nil, Template.empty)]
    case .template(let template): [(nil, template)]
    case .plural(let forms):
      Plural.allCases.compactMap { plural in forms[plural].map { (plural, $0) } }
    }
  }

  /// The names of the placeholders in all forms.
  var placeholders: Set<String> { Set(forms.flatMap(\.1.placeholders)) }

  private static func plural(
    _ forms: [JSON.Member], in language: Language
  ) throws(PhraseFault) -> [Plural: Template] {
    var templates: [Plural: Template] = [:]
    let expected = Plural.categories(of: language)
    for form in forms {
      guard let plural = Plural(rawValue: form.name) else { throw .unknownCategory(form.name) }
      guard case .string(let text) = form.value else { throw .noText }
      templates[plural] = try template(text)
    }
    guard Set(templates.keys) == Set(expected) else { throw .wrongCategories(expected) }
    return templates
  }

  private static func template(_ text: String) throws(PhraseFault) -> Template {
    do { return try Template(text) } catch { throw .template(error) }
  }
}

/// The reason for which an entry of a catalog is invalid.
enum PhraseFault: Error, CustomStringConvertible {
  case key
  case repeatedKey
  case noText
  case unknownCategory(String)
  case wrongCategories([Plural])
  case template(TemplateFault)

  var description: String {
    switch self {
    case .key: "a key is letters, digits, “.”, “-” and “_”"
    case .repeatedKey: "the key is there twice"
    case .noText: "a text in quotation marks is missing"
    case .unknownCategory(let name): "“\(name)” is no plural category"
    case .wrongCategories(let expected):
      "the forms must be exactly \(expected.map(\.rawValue).joined(separator: ", "))"
    case .template(let fault): fault.description
    }
  }
}
