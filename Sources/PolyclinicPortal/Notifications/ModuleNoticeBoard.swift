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
  /// The part of the module that guardians use; they get no notices of any other.
  package let guardianAccess: GuardianAccess

  package var sendsMail: Bool { sends.contains(.email) }

  package init(
    module: ModuleID, kinds: [Notice.Kind], words: Phrasebook, language: Language, vault: Vault,
    sends: Set<Notice.Kind.Way>, guardianAccess: GuardianAccess
  ) {
    self.module = module
    self.kinds = kinds
    self.words = words
    self.language = language
    self.vault = vault
    self.sends = sends
    self.guardianAccess = guardianAccess
  }

  package func post(_ notice: Notice, to person: ID<Person>, in work: Work) throws {
    for kind in [notice.kind, notice.confirmation?.kind].compactMap(\.self) {
      guard kinds.contains(where: { $0.name == kind.name }) else {
        throw UnlistedNoticeKind(name: kind.name)
      }
    }
    // The person was erased in the meantime.
    guard let recipient = try recipient(person, of: notice, in: work) else { return }
    var notice = notice
    let own = Work(keys: recipient.keys, at: work.now, on: work)
    if let text = try notice.recordText?.read(own) { notice.text = text }
    try post(notice, to: recipient, in: work)
    if recipient.hasGuardians { try postToGuardians(of: recipient, notice, in: work) }
  }

  /// The reader of a notice.
  private struct Recipient {
    let keys: Keys
    let hasAccount: Bool
    let language: Language
    /// The words for a reader who has made the change; nil for others.
    let confirmation: Notice.Confirmation?
    /// The kind of the notice for this reader.
    let kind: Notice.Kind
    let ways: Set<Notice.Kind.Way>
    /// True if somebody acts for the reader, or has done so.
    let hasGuardians: Bool
  }

  /// Returns the reader of a notice with the choice for its kind; nil if there is no such person.
  private func recipient(
    _ person: ID<Person>, of notice: Notice, in work: Work
  ) throws -> Recipient? {
    let confirmation = person == work.visitor?.person ? notice.confirmation : nil
    let kind = confirmation?.kind ?? notice.kind
    return try work.row(
      """
      SELECT wrapped_key, erasure_id, language, ways,
        EXISTS (SELECT 1 FROM guardianships WHERE guardianships.person = id_person)
      FROM people
      LEFT JOIN accounts ON accounts.person = id_person
      LEFT JOIN notifications_choices AS choices
        ON choices.person = id_person AND kind = \(name(of: kind))
      WHERE id_person = \(person)
      """
    ) { row in
      Recipient(
        keys: try vault.keys(of: person, wrapped: row.bytes(0), erasureID: row.bytes(1)),
        hasAccount: !row.isNull(2),
        language: row.isNull(2) ? language : Language(rawValue: row.string(2)) ?? language,
        confirmation: confirmation, kind: kind,
        ways: row.isNull(3) ? kind.ways : NoticeChoices.ways(row.string(3)),
        hasGuardians: row.bool(4))
    }
  }

  private func name(of kind: Notice.Kind) -> String { "\(module)/\(kind.name)" }

  /// Posts the notice to those who act for its person and hear of it, with the person's name.
  private func postToGuardians(
    of inCare: Recipient, _ notice: Notice, in work: Work
  ) throws {
    guard let needed = guardianAccess.scope(for: .get) else { return }
    let all = try Guardianship.all(for: inCare.keys.person, vault, on: work)
    guard let name = try Profile.name(by: inCare.keys, on: work) else { return }
    for guardianship in all {
      guard let scope = guardianship.scope(at: work.now), needed <= scope,
        try guardianship.hearsOfNotices(hasAccount: inCare.hasAccount, on: work),
        let guardian = try recipient(guardianship.guardian, of: notice, in: work)
      else { continue }
      let person = PersonInCare(
        person: inCare.keys.person, name: name, rights: .guardian(scope))
      try post(notice, to: guardian, about: person, in: work)
    }
  }

  /// Adds the notice to the recipient's inbox and outbox. An e-mail about a person in care says no
  /// more than that a notice waits, and brings the event.
  private func post(
    _ notice: Notice, to recipient: Recipient, about person: PersonInCare? = nil, in work: Work
  ) throws {
    let (keys, ways, confirmation) = (recipient.keys, recipient.ways, recipient.confirmation)
    let inbox = Inbox(keys: keys, work: work)
    // A change by the reader is made once.
    if let once = notice.once, confirmation == nil {
      let once = person.map { "\(once)/for/\($0.person)" } ?? once
      if try !inbox.isFirst(mark(once)) { return }
    }
    let text = (confirmation?.text ?? notice.text).spoken(by: module)
    let path = notice.path.resolved(in: module)
    let stored = StoredNotice(
      kind: name(of: recipient.kind), text: text,
      wording: words.string(text, in: recipient.language),
      path: person.map { Path(checked: "\($0.prefix)\(path)") } ?? path,
      about: person?.name ?? "")
    try inbox.insert(
      stored, about: notice.subject.map { vault.lookup("notice-subject", "\(module)/\($0)") },
      of: person?.person, until: notice.expires, byBrowser: ways.contains(.browser),
      isRead: confirmation != nil)
    let own = Work(keys: keys, at: work.now, on: work)
    if sendsMail, ways.contains(.email) {
      let content = confirmation.map(\.mail) ?? notice.mail
      try mail(notice.once, content, stored, to: keys)
        .insert(about: person?.person, expires: notice.expires, in: own)
    }
    if sends.contains(.telephone), ways.contains(.telephone),
      try MessageLimit.line.countIfAllowed(of: keys.person, in: own)
    {
      try QueuedLine(kind: "notice")
        .insert(about: person?.person, expires: notice.expires, in: own)
    }
  }

  /// Returns the e-mail to queue. The outbox checks the confirmed address when it sends the e-mail.
  /// Without words, and about a person in care, it says that a notice waits.
  private func mail(
    _ once: String?, _ content: Notice.Mail?, _ stored: StoredNotice, to keys: Keys
  ) -> QueuedMail {
    let id =
      once.map { vault.lookup("message-id", "\(keys.person)/\(module)/\($0)") }
      ?? [UInt8].random(16)
    let words = stored.about.isEmpty ? content : nil
    var mail = QueuedMail(
      id: Array(id.prefix(16)).hexadecimalText,
      subject: words?.subject.spoken(by: module) ?? Self.own("mail.notice.subject"),
      body: words?.body.spoken(by: module) ?? Self.own("mail.notice.body"),
      path: stored.path)
    mail.event = content?.event.map { event in
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
