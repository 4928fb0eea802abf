import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Accepts the notices of one module. It adds them to the inbox and, if the person wants e-mails,
/// to the outbox.
package struct ModuleNoticeBoard: NoticeBoard {
  package let module: ModuleID
  package let kinds: [Notice.Kind]
  package let words: Phrasebook
  /// The language for people who have chosen none.
  package let language: Language
  package let vault: Vault
  package let sendsMail: Bool

  package init(
    module: ModuleID, kinds: [Notice.Kind], words: Phrasebook, language: Language, vault: Vault,
    sendsMail: Bool
  ) {
    self.module = module
    self.kinds = kinds
    self.words = words
    self.language = language
    self.vault = vault
    self.sendsMail = sendsMail
  }

  package func post(_ notice: Notice, to person: ID<Person>, in work: Work) throws {
    guard kinds.contains(where: { $0.name == notice.kind.name }) else {
      throw UnlistedNoticeKind(name: notice.kind.name)
    }
    // The person was erased in the meantime.
    guard let keys = try KeyStore(vault).unloggedKeys(of: person, on: work) else { return }
    let inbox = Inbox(keys: keys, connection: work)
    if let once = notice.once, try !inbox.isFirst(mark(once), at: work.now) { return }
    let text = notice.text.spoken(by: module)
    let language =
      try Account.languages(of: [person], or: self.language, on: work)[person]
      ?? self.language
    let stored = StoredNotice(
      kind: "\(module)/\(notice.kind.name)", text: text,
      wording: words.string(text, in: language), path: notice.path.resolved(in: module))
    let choices = try NoticeChoices(of: person, on: work)
    let ways = choices.ways[stored.kind] ?? notice.kind.ways
    try inbox.insert(stored, byBrowser: ways.contains(.browser), at: work.now)
    if sendsMail, ways.contains(.email) {
      try mail(notice, stored, to: keys).insert(
        expires: notice.expires, in: Work(keys: keys, at: work.now, on: work))
    }
  }

  /// Returns the e-mail to queue. The outbox checks the confirmed address when it sends the e-mail.
  private func mail(_ notice: Notice, _ stored: StoredNotice, to keys: Keys) -> QueuedMail {
    let id =
      notice.once.map { vault.lookup("message-id", "\(keys.person)/\(module)/\($0)") }
      ?? [UInt8].random(16)
    var mail = QueuedMail(
      id: Array(id.prefix(16)).hexadecimalText,
      subject: notice.mail?.subject.spoken(by: module) ?? Self.own("mail.notice.subject"),
      body: notice.mail?.body.spoken(by: module) ?? Self.own("mail.notice.body"),
      path: stored.path)
    mail.attachment = notice.mail?.attachment.map {
      MailMessage.Attachment(
        name: $0.name.description, mediaType: $0.mediaType.description, bytes: $0.bytes)
    }
    return mail
  }

  private static func own(_ text: Text) -> Text { text.spoken(by: NotificationsModule.moduleID) }

  private func mark(_ once: String) -> [UInt8] { vault.lookup("notice", "\(module)/\(once)") }
}
