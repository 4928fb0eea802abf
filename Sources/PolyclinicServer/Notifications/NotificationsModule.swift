import PolyclinicCore

/// What people are told, and how it reaches them: built in, and written like any other module.
struct NotificationsModule: Module {
  static let moduleID: ModuleID = "notifications"
  let id = Self.moduleID
  /// The kinds of notices of all enabled modules.
  let kinds: [OwnedNoticeKind]
  /// Whether a command takes e-mails.
  let sendsMail: Bool
  var title: Text { "notifications.title" }
  var catalog: Catalog { .notifications }
  var migrations: [Migration] { Self.schema + [MailTrouble.migration] }

  var routes: [Route] {
    [
      .get("", showInbox),
      .post("open", open),
      .post("read", markRead),
      .post("delete", delete),
      .confirm(
        "delete-read", title: "delete-read.title", question: askToDeleteRead,
        yes: "delete-read.yes", cancel: "", save: deleteRead),
      .get("poll", poll).unattended,
      .get("preferences", showPreferences),
      .post("preferences", savePreferences),
      .post("confirm", sendConfirmation),
      .get("confirm/{token}", access: .everyone, askToConfirm),
      .post("confirm/{token}", access: .everyone, confirm),
      .get("confirmed", access: .everyone, showConfirmed),
    ]
  }

  var jobs: [Job] { [Job("purge", purge)] }

  var checks: [HealthCheck] {
    guard sendsMail else { return [] }
    return [
      HealthCheck("e-mails") { portal in
        try portal.database.read { try MailTrouble.find(at: portal.now, on: $0) }?
          .sentence(at: portal.now)
      }
    ]
  }

  var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.notifications", until: "privacy.until-year"),
      .plain(
        "privacy.notification-choices", until: "privacy.until-erased",
        seenBy: "privacy.seen-by-nobody",
        columns: [
          "notifications.by_browser", "notifications.read_at", "notifications_told",
          "notifications_choices", "notifications_addresses", "notifications_mail.attempts",
          "notifications_mail.due_at", "notifications_mail.claimed_at",
          "notifications_mail.expires_at", "notifications_links.address",
          "notifications_links.sent_at",
        ]),
      impersonal: [
        "notifications_links.token_hash": "hash of a random token",
        "notifications_mail_trouble": "whether any e-mail goes out",
      ],
      export: export)
  }

  private func export(_ keys: Keys, _ connection: Connection, _ copy: JSONWriter) throws {
    try copy.writeArray("notifications") { notifications in
      try Inbox(keys: keys, connection: connection).readAll { entry in
        try notifications.append([
          "at": .string(entry.createdAt.timestamp), "kind": .string(entry.letter.kind),
          "text": .string(entry.letter.wording), "read": .boolean(entry.isRead),
        ])
      }
    }
    let choices = try NoticeChoices.all(of: keys.person, on: connection)
    try copy.write(
      "choices",
      .object(
        choices.sorted { $0.key < $1.key }.map { kind, ways in
          JSON.Member(kind, .array(ways.map(\.rawValue).sorted().map(JSON.string)))
        }))
  }

  private func purge(_ portal: Portal) throws -> Instant {
    try portal.database.write { connection in
      try Inbox.purge(at: portal.now, on: connection)
      try AddressConfirmation.purge(at: portal.now, on: connection)
    }
    return portal.now + .hours(6)
  }
}

/// A kind of notices and the module that sends it.
struct OwnedNoticeKind: Sendable {
  let module: ModuleID
  let kind: NoticeKind

  /// The key of a person's choices for it, such as `appointments/reminder`.
  var name: String { "\(module)/\(kind.name)" }
  /// In the words of its module.
  var title: Text { kind.title.spoken(by: module) }

  static func all(of module: any Module) -> [OwnedNoticeKind] {
    module.noticeKinds.map { OwnedNoticeKind(module: module.id, kind: $0) }
  }
}
