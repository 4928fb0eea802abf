import PolyclinicCore

/// Tells people that another can set, or has set, their password: in the log of who changed something of
/// theirs, which nobody can delete, in the inbox and by e-mail.
///
/// Whoever has the link could else read everything of theirs without their ever learning how.
struct PasswordLinkNews {
  let installation: Installation
  let vault: Vault
  /// For those who have chosen none.
  let language: Language
  let sendsMail: Bool

  /// What became of a link.
  enum Event {
    case made
    case used

    /// What the inbox and an e-mail say.
    fileprivate var notice: Notice {
      switch self {
      case .made: Self.notice("told.link-made", "told.link-made.subject")
      case .used: Self.notice("told.link-used", "told.link-used.subject")
      }
    }

    private static func notice(_ text: Text, _ subject: Text) -> Notice {
      Notice(
        .rights, text, leadingTo: "/account/access-log",
        mail: Notice.Mail(subject: subject, body: text))
    }

    /// What the log says.
    fileprivate func change(by author: AuditEntry.Author?) -> Text {
      switch self {
      case .made:
        author == .commandLine ? "access.link-made.command-line" : "access.link-made"
      case .used: "access.link-used"
      }
    }
  }

  func tell(
    _ person: ID<Person>, _ event: Event, by author: AuditEntry.Author?, at now: Instant,
    on connection: Connection
  ) throws {
    let cabinet = KeyCabinet(vault)
    guard let keys = try cabinet.keys(of: person, on: connection) else { return }
    var maker: Keys?
    if case .person(let administrator) = author {
      maker = try cabinet.keys(of: administrator, on: connection)
    }
    try ChangeLog.record(
      event.change(by: author).spoken(by: "account"), of: keys, by: maker?.person,
      called: try maker.flatMap { try Profile.name(by: $0, on: connection) } ?? "",
      .administration, at: now, on: connection)
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
  var passwordLinkNews: PasswordLinkNews {
    PasswordLinkNews(
      installation: installation, vault: vault, language: site.clinic.defaultLanguage,
      sendsMail: site.mail != nil)
  }
}
