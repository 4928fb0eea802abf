/// A section that a module adds to registration and profile, such as the choice of a clinic.
public protocol ProfilePart: Sendable {
  /// The person's answers in this section.
  associatedtype Draft: Sendable
  /// The section's heading.
  var title: Text { get }
  /// The section's form; its field names must differ from those of the profile and of all other
  /// sections.
  var form: Form<Draft> { get }
  /// Returns the person's stored answers; the form's blank draft for a new person.
  func load(in work: Work) throws -> Draft
  /// Stores the person's answers, in the transaction of the whole profile.
  func save(_ draft: Draft, in work: Work) throws
}

/// The answers to all modules' sections while the form is parsed.
package struct ProfileAnswers: Sendable {
  private var drafts: [OwnedProfilePart.Key: any Sendable] = [:]

  package init() {}

  subscript<Draft: Sendable>(part: OwnedProfilePart.Key, default blank: Draft) -> Draft {
    get { drafts[part] as? Draft ?? blank }
    set { drafts[part] = newValue }
  }
}

/// A profile section with its module.
package struct OwnedProfilePart: Sendable {
  private let key: Key
  private let part: any ProfilePart

  /// The module and the section's index, because a module may have several sections.
  struct Key: Hashable, Sendable {
    let module: ModuleID
    let place: Int
  }

  private init(_ part: any ProfilePart, _ key: Key) {
    self.part = part
    self.key = key
  }

  /// Returns these sections as those of a module, in the same order.
  package static func all(
    _ parts: [any ProfilePart], of module: ModuleID
  ) -> [OwnedProfilePart] {
    parts.enumerated().map { place, part in
      OwnedProfilePart(part, Key(module: module, place: place))
    }
  }

  package func load(
    into answers: inout ProfileAnswers, in work: Work
  ) throws {
    func load(_ part: some ProfilePart) throws {
      answers[key, default: part.form.blank] = try part.load(in: work)
    }
    try load(part)
  }

  /// Saves the section's answers; a thrown refusal uses the words of the section's module.
  package func save(
    _ answers: ProfileAnswers, in work: Work
  ) throws {
    func save(_ part: some ProfilePart) throws {
      try part.save(answers[key, default: part.form.blank], in: work)
    }
    do { try save(part) } catch Refusal.invalid(let field, let text) {
      throw Refusal.invalid(field, text.spoken(by: key.module))
    } catch Refusal.conflict(let text) {
      throw Refusal.conflict(text.spoken(by: key.module))
    }
  }

  /// Returns the section's fields for a form that stores the answers at `answers`, in the module's
  /// own words.
  package func field<Draft: Sendable>(
    at answers: WritableKeyPath<Draft, ProfileAnswers> & Sendable
  ) -> Field<Draft> {
    let key = key
    func field<Part: ProfilePart>(of part: Part) -> Field<Draft> {
      let blank = part.form.blank
      let get: @Sendable (Draft) -> Part.Draft = { $0[keyPath: answers][key, default: blank] }
      let set: @Sendable (inout Draft, Part.Draft) -> Void = { draft, answer in
        draft[keyPath: answers][key, default: blank] = answer
      }
      return part.form.grouped(under: part.title, get: get, set: set).speaking(for: key.module)
    }
    return field(of: part)
  }

  /// Returns the person's stored answers as the reader sees them, each with its label.
  package func answers(
    _ context: Context, in work: Work
  ) throws -> [(Text, String)] {
    func answers(in part: some ProfilePart) throws -> [(Text, String)] {
      let draft = try part.load(in: work)
      return try part.form.singles.map { single in
        let single = single.speaking(for: key.module)
        return (single.control.label, try context.shown(single.text(draft), of: single.control))
      }
    }
    return try answers(in: part)
  }
}
