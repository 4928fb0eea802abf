import PolyclinicCore
import PolyclinicWeb

/// The question whether a guardian gives up acting for a person.
struct LeaveGuardianship: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/leave"
  static let title: Text = "guardians.leave"
  static let submit: Text = "guardians.leave.yes"
  static let cancel = GuardianList.path
  static let isQuestion = true

  private let guardianship: Guardianship
  private let isOnly: Bool
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(for: Self.address.value(in: context))
    isOnly = try context.isOnlyGuardian(guardianship)
  }

  /// The reason why the only guardian of a child cannot stop, with the way to another one; nil for
  /// everybody else.
  var before: Response? {
    guard isOnly else { return nil }
    let invite = context.button("guardians.invite", to: InviteGuardian.path(guardianship.person))
    return context.refusing(Self.title, because: "guardians.error.only", invite)
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.person) ?? ""
      return "<p>\(context.text("guardians.leave.about", ["name": name]))</p>"
    }
  }

  /// Ends the guardianship. Throws ``Refusal/conflict(_:)`` for the only guardian of a child without
  /// an account, whose data nobody else could reach.
  func save(_: Void, in context: Context) throws -> Redirect {
    if isOnly { throw Refusal.conflict("guardians.error.only") }
    return try context.end(guardianship, because: .left)
  }
}

/// The question whether a person takes back the access of a guardian, or the agreement that a parent
/// reads on.
struct WithdrawAccess: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/withdraw"
  static let title: Text = "guardians.withdraw"
  static let submit: Text = "guardians.withdraw.yes"
  static let cancel = GuardianList.path
  static let isQuestion = true

  private let guardianship: Guardianship
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(by: Self.address.value(in: context))
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.guardian) ?? ""
      let text =
        guardianship.agreed > .book ? "guardians.limit.about" : "guardians.withdraw.about"
      return "<p>\(context.text(Text(text, ["name": name])))</p>"
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    if guardianship.agreed > .book {
      try context.agree(to: .book, guardianship)
      return Redirect(to: GuardianList.path).logging(
        SecurityEvent(.guardianChanged, of: [guardianship.guardian, guardianship.person]))
    }
    // A child with an account does not remove a parent; the clinic can.
    guard guardianship.basis == .consent else {
      throw Refusal.conflict("guardians.error.parent")
    }
    return try context.end(guardianship, because: .withdrawn)
  }
}

/// The question whether a guardian of a child ends the access of somebody who has used the
/// guardian's link.
struct UndoInvitation: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/undo"
  static let title: Text = "guardians.undo"
  static let submit: Text = "guardians.undo.yes"
  static let cancel = GuardianList.path
  static let isQuestion = true
  static var route: Route { Route(Self.self).keeping(Context.guardianField) }

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the right of the guardian whom the request names. Throws ``Refusal/notFound`` for one
  /// that the visitor does not end.
  init(_ context: Context) throws {
    self.context = context
    let child = try Self.address.value(in: context)
    let own = try context.guardianship(for: child)
    guard let found = try context.namedGuardianship(for: child), own.ends(found, at: context.now)
    else { throw Refusal.notFound }
    guardianship = found
  }

  /// Returns the path of the question about a guardian of a child.
  static func path(_ guardianship: Guardianship) -> Path {
    path(guardianship.person).query(
      Fields([Context.guardianField: guardianship.guardian.description]))
  }

  var about: HTML? {
    get throws {
      let names = [
        "guardian": try context.name(ofGuardianshipWith: guardianship.guardian) ?? "",
        "name": try context.name(ofGuardianshipWith: guardianship.person) ?? "",
      ]
      return """
        <p>\(context.text(Text("guardians.undo.about", names)))</p>\
        \(try context.namesOfInvited(by: guardianship))\(context.guardianInput(guardianship))
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    return try context.end(guardianship, because: .withdrawn)
  }
}

/// The form with which an adult changes how far somebody acts for them, and until when.
struct ChangeAccess: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/change"
  static let title: Text = "guardians.change"
  static let cancel = GuardianList.path
  static let form = AccessDraft.form

  private let guardianship: Guardianship
  private let context: Context

  /// Finds the right that the visitor has given. Throws ``Refusal/notFound`` for a parent's.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(by: Self.address.value(in: context))
    guard guardianship.basis == .consent else { throw Refusal.notFound }
  }

  var start: AccessDraft {
    AccessDraft(
      scope: guardianship.scope,
      until: guardianship.endsAt.map { context.formats.day(of: $0 - .seconds(1)) })
  }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.guardian) ?? ""
      return "<p>\(context.text("guardians.change.about", ["name": name]))</p>"
    }
  }

  func save(_ draft: AccessDraft, in context: Context) throws -> Redirect {
    let changed = guardianship.granting(
      draft.scope, until: try draft.end(context), at: context.now)
    try changed.save(context.server.vault, on: context)
    try context.tell(.changed, changed)
    return Redirect(to: GuardianList.path).logging(
      SecurityEvent(.guardianChanged, of: [guardianship.guardian, guardianship.person]))
  }
}

/// The form with which a child with an account agrees that a parent reads on.
struct AgreeToReading: RoutedForm {
  static let address: Address<ID<Person>> = "/account/people/{person}/agree"
  static let title: Text = "guardians.agree"
  static let submit: Text = "guardians.agree.yes"
  static let cancel = GuardianList.path

  struct Draft: Sendable {
    var scope = Reading.read
  }

  /// A scope that includes reading.
  enum Reading: String, Sendable, CaseIterable {
    case read, all

    fileprivate var scope: GuardianScope { self == .all ? .all : .read }
  }

  static let form = Form<Draft>(Draft(), .choice(\.scope, "scope", hint: "field.scope.hint"))

  private let guardianship: Guardianship
  private let context: Context

  /// Finds a parent's right to act for the visitor. Throws ``Refusal/notFound`` unless it is for
  /// review.
  init(_ context: Context) throws {
    self.context = context
    guardianship = try context.guardianship(by: Self.address.value(in: context))
    guard guardianship.isForReview(at: context.now) else { throw Refusal.notFound }
  }

  var start: Draft { Draft(scope: guardianship.agreed == .all ? .all : .read) }

  var about: HTML? {
    get throws {
      let name = try context.name(ofGuardianshipWith: guardianship.guardian) ?? ""
      return "<p>\(context.text("guardians.agree.about", ["name": name]))</p>"
    }
  }

  func save(_ draft: Draft, in context: Context) throws -> Redirect {
    try context.agree(to: draft.scope.scope, guardianship)
    return Redirect(to: GuardianList.path).logging(
      SecurityEvent(.guardianChanged, of: [guardianship.guardian, guardianship.person]))
  }
}

extension Guardianship {
  /// Returns the warning that a person's erasure leaves children without an account alone; nil if it
  /// leaves none.
  static func erasureLoss(of guardian: ID<Person>, in work: Work) throws -> Text? {
    let left = try work.integer(
      """
      SELECT count(*) FROM guardianships AS own
      WHERE guardian = \(guardian) AND state = 'active' AND ends_at > \(work.now)
        AND basis = \(Basis.parentalResponsibility.rawValue)
        AND person NOT IN (SELECT person FROM accounts)
        AND NOT EXISTS (SELECT 1 FROM guardianships AS other
          WHERE other.person = own.person AND other.guardian <> own.guardian
            AND other.state = 'active' AND (other.scope = 'all' OR own.scope <> 'all'))
      """)
    guard let left, left > 0 else { return nil }
    return Text("guardians.erasure", count: left)
  }
}
