import PolyclinicCore
import PolyclinicWeb

/// People, accounts and sign-in, as a built-in module.
package struct AccountsModule: Module {
  package static let moduleID: ModuleID = "account"
  package let id = moduleID
  let server: ServerReference
  package let files: InstallationFiles
  /// The fields that enabled modules add to registration and profile.
  package let parts: [OwnedProfilePart]
  /// The time at which people are asked for their postal address.
  package let address: AskingRule
  /// The fields of ``parts`` that people must fill in at registration, if there is anything to
  /// choose.
  let neededFields: Set<String>
  /// The modules' deleted records for "Recently deleted", including those of modules that are off.
  package let trashes: [Trash]
  /// The records that modules keep after an erasure, including those of modules that are off.
  package let retentions: [PersonalData.Retention]
  /// The modules for which API tokens can be issued, with their titles.
  package let programs: [ProgramAccess]

  package init(
    server: ServerReference, files: InstallationFiles, parts: [OwnedProfilePart],
    address: AskingRule = .later, clinic: AskingRule = .later,
    trashes: [Trash], retentions: [PersonalData.Retention], programs: [ProgramAccess]
  ) {
    self.server = server
    self.files = files
    self.parts = parts
    self.address = address
    neededFields = clinic == .required ? ["clinic"] : []
    self.trashes = trashes
    self.retentions = retentions
    self.programs = programs
  }
  package var title: Text { "profile.title" }
  package var catalog: Catalog { .accounts }
  package var migrations: [Migration] { Self.schema }

  package var routes: [Route] {
    let registration = Registration.form(parts, address, needing: neededFields)
    return [
      Route("/login", access: .everyone, answer: .form(SignInPage(server: server))),
      .post("/logout", signOut),
      .form(
        "/register", registration, title: "register.title", cancel: "/", access: .everyone,
        submit: "register.submit", origin: pageBeforeRegistration, start: startRegistration,
        about: aboutRegistration, prepare: prepare, save: register),
      .get("welcome", welcome),
      .form(
        "/setup/{token}", registration, title: "setup.title", cancel: "/", access: .everyone,
        submit: "register.submit", start: startSetUp, prepare: prepare, save: setUp),
      Route("/login/code", access: .everyone, answer: .form(SecondStep(server: server))),
      forgottenRoute,
      resetRoute,
      .form(
        "/invitation/{token}", Invitation.form, title: "invitation.title", cancel: "/",
        access: .everyone, submit: "register.submit", subject: invited, about: aboutInvitation,
        prepare: prepareInvitation, save: acceptInvitation),
      .post("/language", access: .everyone, chooseLanguage),
      .get("/privacy", access: .everyone) { try PrivacyPage.show($0, server()) },
      .post("/privacy/agree", agreeToPrivacy),
      .get("", showProfile),
      .form(
        "edit", ProfileEdit.form(parts, address, needing: neededFields), title: "profile.edit",
        cancel: "", load: loadEdit,
        prepare: checkEdit, save: saveProfile
      ).saying("profile.saved"),
      .form(
        "password", PasswordChange.form, title: "password.title", cancel: "",
        prepare: prepareChange, save: changePassword
      ).saying("password.saved"),
      .get("sessions", listSessions),
      .form(
        "sessions/{id}/end", CurrentPassword.form, title: "sessions.end", cancel: "sessions",
        submit: "sessions.end", about: aboutSession, prepare: { try $0.prove($1, server()) },
        save: endSession),
      .form(
        "sessions/end-others", CurrentPassword.form, title: "sessions.end-others",
        cancel: "sessions", submit: "sessions.end-others", prepare: { try $0.prove($1, server()) },
        save: endOtherSessions),
      .get("tokens", listTokens),
      newToken,
      .confirm(
        "tokens/{id}/revoke", title: "tokens.revoke", question: revokeQuestion,
        yes: "tokens.revoke.yes", cancel: "tokens", save: revokeToken),
      .get("deleted") { try DeletedPage.show($0, server().installation) },
      .post("deleted/restore") { try DeletedPage.restore($0, server().installation) },
      .post("deleted/purge") { try DeletedPage.purge($0, server().installation) },
      .get("access-log") { try AccessLogPage.show($0, server().installation) },
      .get("export", ExportPage.show),
      .post("export") { try ExportPage.download($0, server()) },
      deletionRoute,
    ] + secondFactorRoutes
  }

  package var cards: [Card] {
    [Card("privacy.card", changedPrivacy), Card("approval.title", approval)]
  }

  package var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep(
        "first-steps.profile", about: "first-steps.profile.about", to: "edit", access: .signedIn,
        isDone: hasContactDetails),
      Link.FirstStep(
        "two-factor.set-up", about: "first-steps.codes.about", to: "two-factor",
        access: .signedIn, isDone: hasSecondFactor),
    ]
  }

  package var jobs: [Job] { [Job("purge", purge)] }

  package var rebuildableIndexes: [RebuildableIndex] { [Profile.nameIndex] }

  package var personalData: PersonalData {
    PersonalData(
      .sealed(
        "privacy.profile", until: "privacy.until-erased", seenBy: "privacy.profile.seen-by"),
      .plain(
        "privacy.account", until: "privacy.until-erased",
        columns: [
          "accounts.state", "accounts.roles", "accounts.wanted_role", "accounts.language",
          "accounts.consent_version", "accounts.consented_at", "people.stored_bytes",
          "people.stored_records",
        ]),
      .sealed("privacy.sessions", until: "privacy.until-session"),
      .plain("privacy.visits", until: "privacy.until-session", columns: ["sessions.seen_at"]),
      .plain(
        "privacy.guesses", until: "privacy.until-half-year", seenBy: "privacy.seen-by-nobody",
        columns: ["known_addresses", "throttle"]),
      .plain(
        "privacy.links", until: "privacy.until-a-day",
        columns: ["password_links.expires_at", "password_links.kind", "password_mails.sent_at"]),
      .sealed("privacy.second-factor", until: "privacy.until-removed"),
      .plain(
        "privacy.trust", until: "privacy.until-thirty-days", seenBy: "privacy.seen-by-nobody",
        columns: [
          "accounts.second_factor_step", "trusted_browsers.trusted_at",
        ]),
      .sealed("privacy.tokens", until: "privacy.until-revoked"),
      .plain(
        "privacy.token-times", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["api_tokens.used_at", "api_tokens.expires_at"]),
      .sealed("privacy.api-answers", until: "privacy.until-a-day"),
      .sealed("privacy.access-log", until: "privacy.until-erased"),
      .plain(
        "privacy.views", until: "privacy.until-erased", seenBy: "privacy.seen-by-nobody",
        columns: [
          "access_log.viewer", "access_log.viewer_role", "access_log.reason", "access_log.hour",
          "access_log.count", "change_log.author", "change_log.author_role", "change_log.reason",
          "change_log.at",
        ]),
      .sealed("privacy.uploads", until: "privacy.until-taken-in"),
      .plain(
        "privacy.sent", until: "privacy.until-two-days", seenBy: "privacy.seen-by-nobody",
        columns: [
          "uploads.page", "uploads.arrived_at", "answered_forms.answer",
          "answered_forms.answered_at", "answered_forms.signed_in",
        ]),
      impersonal: Self.impersonal, export: export,
      fhir: { try $1.append(PatientResource.json(in: $0)) },
      obstacle: Account.obstacle(toErasing:in:))
  }

  private func export(_ work: Work, _ copy: JSON.Writer) throws {
    guard let profile = try Profile.find(in: work) else { return }
    try copy.write("profile", Profile.form.json(profile))
    try copy.writeArray("access_log") { try AccessLog.export(in: work, to: $0) }
    try copy.write("api_tokens", AccessToken.json(by: work.keys, on: work))
    try copy.writeArray("change_log") { try ChangeLog.export(in: work, to: $0) }
  }

  /// Deletes expired rows: sessions, tokens, links, uploads and the like. None has any effect any
  /// more.
  private func purge(_ portal: Portal) throws -> Instant {
    let now = portal.now
    try portal.database.write { connection in
      try Sessions.purge(at: now, on: connection)
      try IdempotencyStore.purge(at: now, on: connection)
      try AccessToken.purge(at: now, on: connection)
      try Throttle.purge(now: now, on: connection)
      try OneTimeLink.purge(at: now, on: connection)
      try Upload.purge(at: now, on: connection)
      try RememberedBrowsers.trusted.purge(at: now, on: connection)
      try RememberedBrowsers.offline.purge(at: now, on: connection)
      try ForgottenPassword.purge(at: now, on: connection)
    }
    // One transaction each, so that a failure of one module does not roll back the others.
    for trash in trashes.flatMap(\.kinds) {
      try portal.write { try trash.purgeAll(now - Trash.keptFor, $0) }
    }
    for retention in retentions { try portal.write { try retention.purge($0) } }
    return now + .hours(1)
  }
}

extension Catalog {
  package static let accounts = Catalog(
    en: [
      PackageResources.accounts_en_json, PackageResources.profile_en_json,
      PackageResources.privacy_en_json, PackageResources.consent_en_json,
      PackageResources.invitation_en_json, PackageResources.tokens_en_json,
      PackageResources.two_factor_en_json,
    ],
    ru: [
      PackageResources.accounts_ru_json, PackageResources.profile_ru_json,
      PackageResources.privacy_ru_json, PackageResources.consent_ru_json,
      PackageResources.invitation_ru_json, PackageResources.tokens_ru_json,
      PackageResources.two_factor_ru_json,
    ],
    he: [
      PackageResources.accounts_he_json, PackageResources.profile_he_json,
      PackageResources.privacy_he_json, PackageResources.consent_he_json,
      PackageResources.invitation_he_json, PackageResources.tokens_he_json,
      PackageResources.two_factor_he_json,
    ])
}
