import PolyclinicCore

/// Takes the notices of one module: into the inbox, and into the outbox where its reader wants that.
struct ModuleNoticeBoard: NoticeBoard {
  let module: ModuleID
  let kinds: [NoticeKind]
  let words: Phrasebook
  /// For those who have chosen none.
  let language: Language
  let vault: Vault
  let sendsMail: Bool

  func post(
    _ notice: Notice, to person: ID<Person>, at now: Instant, on connection: Connection
  ) throws {
    guard kinds.contains(where: { $0.name == notice.kind.name }) else {
      throw UnlistedNoticeKind(name: notice.kind.name)
    }
    // Whoever was erased meanwhile is not told any more.
    guard let keys = try KeyCabinet(vault).keys(of: person, on: connection) else { return }
    let inbox = Inbox(keys: keys, connection: connection)
    if let once = notice.once, try !inbox.isFirst(mark(once), at: now) { return }
    let text = notice.text.spoken(by: module)
    let language = try Account.language(of: person, on: connection) ?? self.language
    let letter = Letter(
      kind: "\(module)/\(notice.kind.name)", text: text,
      wording: words.string(text, in: language), path: notice.path.resolved(in: module))
    let ways = try NoticeChoices.ways(letter.kind, of: person, on: connection) ?? notice.kind.ways
    try inbox.insert(letter, byBrowser: ways.contains(.browser), at: now)
    if sendsMail, ways.contains(.email) {
      try mail(notice, letter, to: keys).insert(
        expires: notice.expires, by: keys, at: now, on: connection)
    }
  }

  /// What waits to be sent; whether the address is confirmed is looked at when it is.
  private func mail(_ notice: Notice, _ letter: Letter, to keys: Keys) -> QueuedMail {
    let id =
      notice.once.map { vault.lookup("message-id", "\(keys.person)/\(module)/\($0)") }
      ?? [UInt8].random(16)
    var mail = QueuedMail(
      id: Array(id.prefix(16)).hexadecimalText,
      subject: notice.mail?.subject.spoken(by: module) ?? Self.own("mail.notice.subject"),
      body: notice.mail?.body.spoken(by: module) ?? Self.own("mail.notice.body"),
      path: letter.path)
    mail.attachment = notice.mail?.attachment.map {
      MailMessage.Attachment(
        name: $0.name.description, mediaType: $0.mediaType.description, bytes: $0.bytes)
    }
    return mail
  }

  private static func own(_ text: Text) -> Text { text.spoken(by: NotificationsModule.moduleID) }

  private func mark(_ once: String) -> [UInt8] { vault.lookup("notice", "\(module)/\(once)") }
}
