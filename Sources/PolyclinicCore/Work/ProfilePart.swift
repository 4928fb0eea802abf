/// A part of registration and profile that a module adds, such as the choice of one's clinic.
public protocol ProfilePart: Sendable {
  /// What the person says in this part.
  associatedtype Draft: Sendable
  /// Its heading.
  var title: Text { get }
  /// Its fields, whose names differ from those of the profile and of all other parts.
  var form: Form<Draft> { get }
  /// What the person has said so far; the form's blank draft for a new one.
  func load(by keys: Keys, on connection: Connection) throws -> Draft
  /// Keeps what the person said, in the transaction of the whole profile.
  func save(_ draft: Draft, by keys: Keys, on connection: Connection) throws
}

/// What a person said in the parts that modules add, while the form is read.
package struct ProfileAnswers: Sendable {
  private var drafts: [OwnedProfilePart.Key: any Sendable] = [:]

  package init() {}

  subscript<Draft: Sendable>(part: OwnedProfilePart.Key, default blank: Draft) -> Draft {
    get { drafts[part] as? Draft ?? blank }
    set { drafts[part] = newValue }
  }
}

/// A part of the profile with the module that it belongs to.
package struct OwnedProfilePart: Sendable {
  private let key: Key
  private let part: any ProfilePart

  /// A module may have several parts.
  struct Key: Hashable, Sendable {
    let module: ModuleID
    let place: Int
  }

  private init(_ part: any ProfilePart, _ key: Key) {
    self.part = part
    self.key = key
  }

  /// The parts of a module, in its order.
  package static func all(of module: any Module) -> [OwnedProfilePart] {
    module.profileParts.enumerated().map { place, part in
      OwnedProfilePart(part, Key(module: module.id, place: place))
    }
  }

  package func load(
    into answers: inout ProfileAnswers, by keys: Keys, on connection: Connection
  ) throws {
    func load(_ part: some ProfilePart) throws {
      answers[key, default: part.form.blank] = try part.load(by: keys, on: connection)
    }
    try load(part)
  }

  /// What the part refuses is told in its module's words.
  package func save(
    _ answers: ProfileAnswers, by keys: Keys, on connection: Connection
  ) throws {
    func save(_ part: some ProfilePart) throws {
      try part.save(answers[key, default: part.form.blank], by: keys, on: connection)
    }
    do { try save(part) } catch Refusal.invalid(let field, let text) {
      throw Refusal.invalid(field, text.spoken(by: key.module))
    } catch Refusal.conflict(let text) {
      throw Refusal.conflict(text.spoken(by: key.module))
    }
  }

  /// The part's fields in a form that keeps the answers there; they speak the module's own words.
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
}
