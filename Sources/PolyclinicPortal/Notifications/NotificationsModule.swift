import PolyclinicCore
import PolyclinicWeb

/// Notices, e-mails and lines to telephones, as a built-in module.
package struct NotificationsModule: Module {
  package static let moduleID: ModuleID = "notifications"
  package let id = Self.moduleID
  /// The ways for which a command is configured.
  package let sends: Set<Notice.Kind.Way>

  package init(sends: Set<Notice.Kind.Way>) { self.sends = sends }

  package var title: Text { "notifications.title" }
  package var catalog: Catalog { .notifications }
  package var migrations: [Migration] {
    [Migration("0001-notifications", Self.schema + DeliveryOutage.schema)]
  }

  package var guardianAccess: GuardianAccess { .nothing("error.403.own-pages") }

  package var routes: [Route] {
    [
      InboxPage.route, ReadNoticesDeletion.route, PreferencesPage.route, ConfirmationPage.route,
      ConfirmedPage.route, NumberForm.route,
      .post(InboxPage.opening.pattern, save: InboxPage.open),
      .post(InboxPage.reading.pattern, save: InboxPage.markRead),
      .post(InboxPage.deletion.pattern, save: InboxPage.delete),
      .get("/notifications/poll", InboxPage.poll).unattended,
      .post(PreferencesPage.path, save: PreferencesPage.save).saying("preferences.saved"),
      .post(PreferencesPage.confirmation.pattern, PreferencesPage.sendConfirmation),
      .post(PreferencesPage.test.pattern, PreferencesPage.sendTest),
      .post(NumberForm.sending.pattern, save: NumberForm.send),
      .post(ConfirmationPage.address.pattern, access: .everyone, ConfirmationPage.confirm),
    ]
  }

  package var cards: [Card] {
    [
      Card("notifications.title", icon: .bell) { context, due in
        if let unread = context.session?.unread, !unread.isEmpty {
          due.append(
            .row(
              to: InboxPage.path,
              "\(context.text("inbox.unread", ["number": unread.number]))",
              lead: context.icon(.bell)))
        }
        return nil
      }
    ]
  }

  package var jobs: [Job] { [Job("purge", purge)] }

  package var checks: [HealthCheck] {
    let names: [(Notice.Kind.Way, StaticString)] = [
      (.email, "e-mails"), (.telephone, "telephones"),
    ]
    return names.filter { sends.contains($0.0) }.map { way, name in
      HealthCheck(name) { portal in
        try portal.database.read { try DeliveryOutage.find(way, at: portal.now, on: $0) }?
          .sentence(at: portal.now)
      }
    }
  }

  package var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.notifications", until: "privacy.until-year"),
      .plain(
        "privacy.notification-choices", until: "privacy.until-erased",
        seenBy: "privacy.seen-by-nobody",
        columns: [
          "notifications.about", "notifications.subject", "notifications.by_browser",
          "notifications.read_at", "notifications.expires_at", "notifications_told",
          "notifications_choices", "notifications_people", "notifications_addresses",
          "notifications_numbers", "notifications_outbox.about",
          "notifications_outbox.way", "notifications_outbox.attempts",
          "notifications_outbox.due_at", "notifications_outbox.claimed_at",
          "notifications_outbox.expires_at", "notifications_links.address",
          "notifications_links.sent_at", "notifications_codes", "notifications_recent",
        ]),
      impersonal: [
        "notifications_links.token_hash": "hash of a random token",
        "notifications_outages": "whether any e-mail or line to a telephone goes out",
      ],
      export: export)
  }

  private func export(_ work: Work, _ copy: JSON.Writer) throws {
    try copy.writeArray("notifications") { notifications in
      try Inbox(keys: work.keys, work: work).readAll { entry in
        try notifications.append([
          "at": .string(entry.createdAt.timestamp), "kind": .string(entry.notice.kind),
          "about": .string(entry.notice.about), "text": .string(entry.notice.wording),
          "read": .boolean(entry.isRead),
        ])
      }
    }
    let choices = try NoticeChoices(of: work.keys.person, on: work).ways
    try copy.write(
      "choices",
      .object(
        choices.sorted { $0.key < $1.key }.map { kind, ways in
          JSON.Member(kind, .array(ways.map(\.rawValue).sorted().map(JSON.string)))
        }))
    let person = try work.keys.person
    let confirmed = try work.rows(
      """
      SELECT 'email', confirmed_at FROM notifications_addresses WHERE person = \(person)
      UNION ALL
      SELECT 'telephone', confirmed_at FROM notifications_numbers WHERE person = \(person)
      """
    ) { JSON.Member($0.string(0), .string($0.instant(1).timestamp)) }
    try copy.write("confirmed", .object(confirmed))
  }

  private func purge(_ portal: Portal) throws -> Instant {
    let now = portal.now
    try portal.database.write { connection in
      try Inbox.purge(at: now, on: connection)
      try AddressConfirmation.purge(at: now, on: connection)
      try NumberConfirmation.purge(at: now, on: connection)
      try MessageLimit.purge(at: now, on: connection)
    }
    return now + .hours(6)
  }
}

extension NotificationsModule {
  /// The tables of the inbox, where `about` is the reader or a person in care and `subject` the keyed
  /// hash of ``Notice/subject``, keys of sent notices, choices by kind and by person in care, confirmed
  /// addresses and numbers, the links and codes that confirm them, queued messages, and the times of
  /// those that are limited.
  static let schema: [SQL] = [
    """
    CREATE TABLE notifications (
      id_notification \(.identity),
      person \(.person),
      about \(.person),
      sealed \(.bytes) NOT NULL,
      subject \(.bytes),
      by_browser \(.integer) NOT NULL,
      created_at \(.integer) NOT NULL,
      read_at \(.integer),
      expires_at \(.integer)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_person ON notifications (person)",
    "CREATE INDEX notifications_about ON notifications (about)",
    // Covers only unread notices, because each page of a signed-in person counts them.
    "CREATE INDEX notifications_unread ON notifications (person) WHERE read_at IS NULL",
    "CREATE INDEX notifications_created_at ON notifications (created_at)",
    """
    CREATE TABLE notifications_told (
      person \(.person),
      mark \(.bytes) NOT NULL,
      told_at \(.integer) NOT NULL,
      PRIMARY KEY (person, mark)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_told_told_at ON notifications_told (told_at)",
    """
    CREATE TABLE notifications_choices (
      person \(.person),
      kind TEXT NOT NULL,
      ways TEXT NOT NULL,
      PRIMARY KEY (person, kind)
    ) \(.strict)
    """,
    """
    CREATE TABLE notifications_people (
      person \(.person),
      about \(.person),
      is_wanted \(.integer) NOT NULL,
      PRIMARY KEY (person, about)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_people_about ON notifications_people (about)",
    """
    CREATE TABLE notifications_addresses (
      person \(.person),
      address \(.bytes) NOT NULL,
      confirmed_at \(.integer) NOT NULL,
      PRIMARY KEY (person)
    ) \(.strict)
    """,
    """
    CREATE TABLE notifications_links (
      token_hash \(.bytes) NOT NULL PRIMARY KEY,
      person \(.person),
      address \(.bytes) NOT NULL,
      sent_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX notifications_links_person ON notifications_links (person)",
    """
    CREATE TABLE notifications_numbers (
      person \(.person),
      number \(.bytes) NOT NULL,
      confirmed_at \(.integer) NOT NULL,
      PRIMARY KEY (person)
    ) \(.strict)
    """,
    """
    CREATE TABLE notifications_codes (
      person \(.person),
      number \(.bytes) NOT NULL,
      code \(.bytes) NOT NULL,
      tries \(.integer) NOT NULL,
      sent_at \(.integer) NOT NULL,
      PRIMARY KEY (person)
    ) \(.strict)
    """,
    """
    CREATE TABLE notifications_recent (
      id_recent \(.identity),
      person \(.person),
      purpose TEXT NOT NULL,
      recipient \(.bytes),
      sent_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX notifications_recent_person ON notifications_recent (person)",
    """
    CREATE TABLE notifications_outbox (
      id_message \(.identity),
      person \(.person),
      about \(.person),
      way TEXT NOT NULL,
      sealed \(.bytes) NOT NULL,
      attempts \(.integer) NOT NULL,
      due_at \(.integer) NOT NULL,
      claimed_at \(.integer),
      expires_at \(.integer)
    ) \(.strict)
    """,
    "CREATE INDEX notifications_outbox_person ON notifications_outbox (person)",
    "CREATE INDEX notifications_outbox_about ON notifications_outbox (about)",
    "CREATE INDEX notifications_outbox_due_at ON notifications_outbox (way, due_at)",
  ]
}

extension Catalog {
  package static let notifications = Catalog(
    en: [PackageResources.notifications_en_json, PackageResources.mail_en_json],
    ru: [PackageResources.notifications_ru_json, PackageResources.mail_ru_json],
    he: [PackageResources.notifications_he_json, PackageResources.mail_he_json])
}

extension Context {
  /// The server that handles the request, for the pages of the built-in modules.
  var server: ServerContext {
    guard let reference = portal.find(ServerReference.self) else {
      preconditionFailure("a page without a server")
    }
    return reference()
  }
}
