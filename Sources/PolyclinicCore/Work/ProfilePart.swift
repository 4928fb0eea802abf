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
  private var drafts: [ModuleID: any Sendable] = [:]

  package init() {}

  subscript<Draft: Sendable>(module: ModuleID, default blank: Draft) -> Draft {
    get { drafts[module] as? Draft ?? blank }
    set { drafts[module] = newValue }
  }
}

/// A module's part and whose it is.
package struct OwnedProfilePart: Sendable {
  private let module: ModuleID
  private let part: any ProfilePart

  package init(_ part: any ProfilePart, of module: ModuleID) {
    self.part = part
    self.module = module
  }

  package func load(
    into answers: inout ProfileAnswers, by keys: Keys, on connection: Connection
  ) throws {
    func load(_ part: some ProfilePart) throws {
      answers[module, default: part.form.blank] = try part.load(by: keys, on: connection)
    }
    try load(part)
  }

  package func save(
    _ answers: ProfileAnswers, by keys: Keys, on connection: Connection
  ) throws {
    func save(_ part: some ProfilePart) throws {
      try part.save(answers[module, default: part.form.blank], by: keys, on: connection)
    }
    try save(part)
  }

  /// The part's fields in a form that keeps the answers there; they speak the module's own words.
  package func field<Draft: Sendable>(
    at answers: WritableKeyPath<Draft, ProfileAnswers> & Sendable
  ) -> Field<Draft> {
    let module = module
    func field<Part: ProfilePart>(of part: Part) -> Field<Draft> {
      let blank = part.form.blank
      let get: @Sendable (Draft) -> Part.Draft = { $0[keyPath: answers][module, default: blank] }
      let set: @Sendable (inout Draft, Part.Draft) -> Void = { draft, answer in
        draft[keyPath: answers][module, default: blank] = answer
      }
      let fields = part.form.fields.map { $0.within(get: get, set: set).speaking(for: module) }
      return .group(part.title.spoken(by: module), fields)
    }
    return field(of: part)
  }
}
