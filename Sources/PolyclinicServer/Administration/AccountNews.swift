import PolyclinicCore

/// Tells people of what another may have done to the way they sign in: in the inbox and by e-mail, and of one-time
/// links in the log of changes too, which nobody can delete.
///
/// Otherwise somebody with a link or a stolen password could read all of theirs without their ever learning how.
struct AccountNews {
  let installation: Installation
  let vault: Vault
  /// For those who have chosen none.
  let language: Language
  let sendsMail: Bool

  enum Event {
    /// A one-time link that sets a password; `endingSecondFactor` for one that takes the second factor, too.
    case linkMade(endingSecondFactor: Bool)
    case linkUsed
    case secondFactorSet
    case secondFactorRemoved
    case recoveryCodeUsed(left: Int)
    /// Wrong codes were typed after the right password.
    case codesWrong

    private var name: String {
      switch self {
      case .linkMade(false): "link-made"
      case .linkMade(true): "second-factor-link-made"
      case .linkUsed: "link-used"
      case .secondFactorSet: "second-factor-set"
      case .secondFactorRemoved: "second-factor-removed"
      case .recoveryCodeUsed: "recovery-code-used"
      case .codesWrong: "codes-wrong"
      }
    }

    /// The entry of the inbox, and the e-mail.
    fileprivate var notice: Notice {
      var text = Text("told.\(name)")
      if case .recoveryCodeUsed(let left) = self { text.count = left }
      return Notice(
        .rights, text, leadingTo: leadsTo,
        mail: Notice.Mail(subject: Text("told.\(name).subject"), body: text))
    }

    private var leadsTo: Path {
      switch self {
      case .linkMade, .linkUsed: "/account/access-log"
      case .secondFactorSet, .secondFactorRemoved, .recoveryCodeUsed: "/account/two-factor"
      case .codesWrong: "/account/password"
      }
    }

    /// The entry of the log; nil for what the person does alone.
    fileprivate func change(by author: AuditEntry.Author?) -> Text? {
      switch self {
      case .linkMade:
        Text("access.\(name)\(author == .commandLine ? ".command-line" : "")")
      case .linkUsed: Text("access.\(name)")
      default: nil
      }
    }
  }

  func tell(
    _ person: ID<Person>, _ event: Event, by author: AuditEntry.Author?, at now: Instant,
    on connection: Connection
  ) throws {
    let cabinet = KeyCabinet(vault)
    guard let keys = try cabinet.keys(of: person, on: connection) else { return }
    if let change = event.change(by: author) {
      var maker: Keys?
      if case .person(let administrator) = author {
        maker = try cabinet.keys(of: administrator, on: connection)
      }
      try ChangeLog.record(
        change.spoken(by: "account"), of: keys, by: maker?.person,
        called: try maker.flatMap { try Profile.name(by: $0, on: connection) } ?? "",
        .administration, at: now, on: connection)
    }
    try board?.post(event.notice, to: person, at: now, on: connection)
  }

  /// Administration's.
  private var board: ModuleNoticeBoard? {
    let id: ModuleID = "admin"
    return installation.phrasebooks[id].map {
      ModuleNoticeBoard(
        module: id, kinds: [.rights], words: $0, language: language, vault: vault,
        sendsMail: sendsMail)
    }
  }
}

extension Front {
  var accountNews: AccountNews {
    AccountNews(
      installation: installation, vault: vault, language: site.clinic.defaultLanguage,
      sendsMail: site.mail != nil)
  }
}
