import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Notifies people about security changes to their account, in the inbox and by e-mail. One-time
/// links also get an entry in the access log, which nobody can delete.
///
/// Otherwise an attacker with a link or a stolen password could read everything, and the account's
/// owner would never learn how.
package struct AccountNotices {
  private let vault: Vault
  /// The notice board of the administration module.
  private let board: ModuleNoticeBoard?

  /// Creates the notices; `language` is that of people who have chosen none.
  package init(
    installation: Installation, vault: Vault, language: Language, sends: Set<Notice.Kind.Way>
  ) {
    self.vault = vault
    let id: ModuleID = "admin"
    board = installation.phrasebooks[id].map {
      ModuleNoticeBoard(
        module: id, kinds: [.rights], words: $0, language: language, vault: vault,
        sends: sends, guardianAccess: .nothing("error.403.own-pages"))
    }
  }

  package enum Event {
    /// An administrator, or the reception, has created a one-time link for a new password. With
    /// `endingSecondFactor` it also removes the second factor.
    case linkMade(endingSecondFactor: Bool, by: AuditEntry.Author, for: AccessReason)
    case linkUsed
    case secondFactorSet
    case secondFactorRemoved
    case recoveryCodesMade
    case recoveryCodeUsed(left: Int)
    case passkeyAdded
    case passkeyRenamed
    case passkeyRemoved
    /// The counter of a passkey has not grown.
    case passkeyCopied
    case browserTrusted
    case browserForgotten
    case passwordChanged
    /// Wrong codes were entered after the correct password.
    case codesWrong
    /// Somebody may act for the person, or the person for somebody, from now on, no longer, or with
    /// other rights. The text of the inbox names them; the e-mail names nobody.
    case guardian(GuardianChange, Text)
    /// Somebody shows the person records.
    case shown
    /// Somebody who acts for the person shows records of the person.
    case shownByGuardian
    /// Somebody no longer shows the person records.
    case hidden

    private var name: String {
      switch self {
      case .linkMade(false, _, _): "link-made"
      case .linkMade(true, _, _): "second-factor-link-made"
      case .linkUsed: "link-used"
      case .secondFactorSet: "second-factor-set"
      case .secondFactorRemoved: "second-factor-removed"
      case .recoveryCodesMade: "recovery-codes-made"
      case .recoveryCodeUsed: "recovery-code-used"
      case .passkeyAdded: "passkey-added"
      case .passkeyRenamed: "passkey-renamed"
      case .passkeyRemoved: "passkey-removed"
      case .passkeyCopied: "passkey-copied"
      case .browserTrusted: "browser-trusted"
      case .browserForgotten: "browser-forgotten"
      case .passwordChanged: "password-changed"
      case .codesWrong: "codes-wrong"
      case .shown: "shown"
      case .shownByGuardian: "shown-by-guardian"
      case .hidden: "hidden"
      case .guardian(let change, _): "guardian-\(change.rawValue)"
      }
    }

    /// The inbox entry and the e-mail.
    fileprivate var notice: Notice {
      var text = Text("told.\(name)")
      if case .recoveryCodeUsed(let left) = self { text.count = left }
      var shown = text
      if case .guardian(_, let named) = self { shown = named }
      return Notice(
        .rights, shown, leadingTo: leadsTo,
        mail: Notice.Mail(subject: Text("told.\(name).subject"), body: text))
    }

    private var leadsTo: Path {
      switch self {
      case .linkMade, .linkUsed: "/account/access-log"
      case .secondFactorSet, .secondFactorRemoved, .recoveryCodesMade, .recoveryCodeUsed:
        "/account/two-factor"
      case .passkeyAdded, .passkeyRenamed, .passkeyRemoved, .passkeyCopied: "/account/passkeys"
      case .browserTrusted, .browserForgotten, .passwordChanged: "/account/sessions"
      case .codesWrong: "/account/password"
      case .guardian: "/account/people"
      case .shownByGuardian: "/account/sharing"
      case .shown, .hidden: "/account/shared-with-me"
      }
    }

    /// The access log entry; nil for events that need none, because the person caused them.
    fileprivate var change: Text? {
      switch self {
      case .linkMade(_, let author, _):
        Text("access.\(name)\(author == .commandLine ? ".command-line" : "")")
      case .linkUsed: Text("access.\(name)")
      default: nil
      }
    }
  }

  /// Notifies the person of an event. Adds one that somebody else caused to the access log.
  package func tell(_ person: ID<Person>, _ event: Event, in work: Work) throws {
    let keyStore = KeyStore(vault)
    guard let keys = try keyStore.unloggedKeys(of: person, on: work) else { return }
    if let change = event.change {
      var author: (person: ID<Person>, name: String)?
      var reason = AccessReason.administration
      if case .linkMade(_, by: .person(let staff), for: let theirs) = event {
        reason = theirs
        if let maker = try keyStore.unloggedKeys(of: staff, on: work) {
          author = (staff, try Profile.name(by: maker, on: work) ?? "")
        }
      }
      try AccessLog.record(
        change.spoken(by: "account"), by: author, for: reason, in: work.with(keys))
    }
    try board?.post(event.notice, to: person, in: work)
  }

  /// Tells all administrators that a person waits for the approval of a role.
  func tellAdministrators(
    that person: ID<Person>, waitsFor role: Role, in work: Work
  ) throws {
    let text = Text("told.waits.\(role.rawValue)")
    let notice = Notice(
      .rights, text, leadingTo: PersonPage.path(person),
      mail: Notice.Mail(subject: text, body: "told.waits.body"))
    for administrator in try Account.people(in: .administrator, on: work) {
      try board?.post(notice, to: administrator, in: work)
    }
  }
}

/// A change of a guardianship of which people are told.
package enum GuardianChange: String {
  case began, ended
  /// The person has changed the rights that they had given.
  case changed
  /// The clinic has ended it.
  case blocked
  /// A parent reads on, as the child or the clinic agrees.
  case agreed
  /// That agreement has ended, so that the parent only books.
  case limited
  /// A guardian has made a link with which a child makes an account.
  case childInvited = "child-invited"
  /// A guardian has corrected a child's name, birth date or sex, or the clinic the birth date.
  case corrected
}

extension AccountNotices {
  /// Notifies the people whom a change of a guardianship concerns, by name: the person, the guardian,
  /// and those who act for the same child.
  func tell(
    _ change: GuardianChange, _ guardianship: Guardianship, in zone: Zone, _ work: Work
  ) throws {
    let (person, guardian) = (guardianship.person, guardianship.guardian)
    guard let called = try name(of: person, in: work),
      let guardianCalled = try name(of: guardian, in: work)
    else { return }
    var values: [String: Text.Value] = [:]
    if let scope = guardianship.scope(at: work.now) {
      func lastDay(before end: Instant) -> Text.Value {
        .day(LocalDateTime(end - .seconds(1), in: zone).date)
      }
      func words(_ scope: GuardianScope) -> Text.Value {
        .text(Text("told.scope.\(scope.rawValue)"))
      }
      values["scope"] = words(scope)
      if let review = guardianship.review(ahead: work.now) {
        values["scope"] = .text(
          Text(
            "told.scope.reviewed",
            values: [
              "scope": words(scope), "date": lastDay(before: review),
              "agreed": words(guardianship.agreed),
            ]))
      }
      values["term"] = .text(
        guardianship.endsAt.map {
          Text("told.term.until", values: ["date": lastDay(before: $0)])
        } ?? "told.term.open")
    }
    func tell(_ reader: ID<Person>, _ words: String, _ names: [String: String]) throws {
      let text = Text("told.guardian-\(change.rawValue).\(words)", names, values: values)
      try self.tell(reader, .guardian(change, text), in: work)
    }
    try tell(guardian, "in-care", ["name": called])
    try tell(person, "of-guardian", ["name": guardianCalled])
    guard guardianship.basis == .parentalResponsibility,
      [.began, .ended, .blocked].contains(change)
    else { return }
    for other in try Guardianship.all(for: person, vault, on: work)
    where other.guardian != guardian && other.scope(at: work.now) != nil {
      try tell(other.guardian, "beside", ["name": called, "guardian": guardianCalled])
    }
  }

  private func name(of person: ID<Person>, in work: Work) throws -> String? {
    try Profile.unloggedNames(of: [person], vault, on: work).first?.name
  }
}

extension AccountNotices: GuardianNotices {
  package func tellCorrectedBirthDate(
    of child: String, to guardian: ID<Person>, in work: Work
  ) throws {
    let text = Text("told.guardian-corrected.by-clinic", ["name": child])
    try tell(guardian, .guardian(.corrected, text), in: work)
  }

  /// Tells a parent that a child has corrected the own birth date.
  func tellOwnBirthDate(of child: String, to parent: ID<Person>, in work: Work) throws {
    let text = Text("told.guardian-corrected.by-child", ["name": child])
    try tell(parent, .guardian(.corrected, text), in: work)
  }
}

extension ServerContext {
  var accountNotices: AccountNotices {
    AccountNotices(
      installation: installation, vault: vault, language: site.clinic.defaultLanguage,
      sends: site.sends)
  }
}
