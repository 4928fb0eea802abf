import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

/// Accepts the notices of one module. It adds them to the inbox and, if the person wants e-mails or
/// lines to a telephone, to the outbox.
package struct ModuleNoticeBoard: NoticeBoard {
  package let module: ModuleID
  package let kinds: [Notice.Kind]
  package let words: Phrasebook
  /// The language for people who have chosen none.
  package let language: Language
  package let vault: Vault
  /// The ways of the portal besides the browser.
  package let sends: Set<Notice.Kind.Way>

  package var sendsMail: Bool { sends.contains(.email) }

  package init(
    module: ModuleID, kinds: [Notice.Kind], words: Phrasebook, language: Language, vault: Vault,
    sends: Set<Notice.Kind.Way>
  ) {
    self.module = module
    self.kinds = kinds
    self.words = words
    self.language = language
    self.vault = vault
    self.sends = sends
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
    try inbox.insert(
      stored, byBrowser: ways.contains(.browser), isRead: notice.isOwnChange, at: work.now)
    let own = Work(keys: keys, at: work.now, on: work)
    if sendsMail, ways.contains(.email) {
      try mail(notice, stored, to: keys).insert(expires: notice.expires, in: own)
    }
    if sends.contains(.telephone), ways.contains(.telephone),
      try MessageLimit.line.countIfAllowed(of: person, in: own)
    {
      try QueuedLine(kind: "notice").insert(expires: notice.expires, in: own)
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
    mail.event = notice.mail?.event.map { event in
      var spoken = Notice.Event(
        id: event.id, event.span, summary: event.summary.spoken(by: module),
        sequence: event.sequence)
      (spoken.isCancelled, spoken.reminders) = (event.isCancelled, event.reminders)
      return spoken
    }
    return mail
  }

  private static func own(_ text: Text) -> Text { text.spoken(by: NotificationsModule.moduleID) }

  private func mark(_ once: String) -> [UInt8] { vault.lookup("notice", "\(module)/\(once)") }
}
