import PolyclinicCore

/// People and how they sign in: built in, and written like any other module.
struct AccountsModule: Module {
  let id: ModuleID = "account"
  /// What the enabled modules ask for in registration and profile.
  let parts: [OwnedProfilePart]
  /// What of all modules stands in "Recently deleted", also of those that are off.
  let trashes: [Trash]
  /// The modules whose records programs may be given, by their titles.
  let programs: [ProgramAccess]
  var title: Text { "profile.title" }
  var catalog: Catalog { .accounts }
  var migrations: [Migration] { Self.schema }

  var routes: [Route] {
    let registration = Registration.form(parts)
    return [
      Route("/login", access: .everyone, answer: .form(SignInPage())),
      .post("/logout", signOut),
      .form(
        "/register", registration, title: "register.title", cancel: "/", access: .everyone,
        submit: "register.submit", prepare: prepare, save: register),
      .form(
        "/setup/{token}", registration, title: "setup.title", cancel: "/", access: .everyone,
        submit: "register.submit", start: startSetUp, prepare: prepare, save: setUp),
      Route("/login/code", access: .everyone, answer: .form(SecondStep())), forgottenRoute,
      resetRoute,
      .form(
        "/invitation/{token}", Invitation.form, title: "invitation.title", cancel: "/",
        access: .everyone, submit: "register.submit", start: startInvitation,
        about: aboutInvitation, prepare: prepareInvitation, save: acceptInvitation),
      .post("/language", access: .everyone, chooseLanguage),
      .get("/privacy", access: .everyone, PrivacyPage.show),
      .post("/privacy/agree", agreeToPrivacy),
      .get("", showProfile),
      .form(
        "edit", ProfileEdit.form(parts), title: "profile.edit", cancel: "", load: loadEdit,
        prepare: checkEdit, save: saveProfile),
      .form(
        "password", PasswordChange.form, title: "password.title", cancel: "",
        prepare: prepareChange, save: changePassword),
      .get("sessions", listSessions),
      .form(
        "sessions/{id}/end", PresentPassword.form, title: "sessions.end", cancel: "sessions",
        submit: "sessions.end", about: aboutSession, prepare: { try $0.prove($1) },
        save: endSession),
      .form(
        "sessions/end-others", PresentPassword.form, title: "sessions.end-others",
        cancel: "sessions", submit: "sessions.end-others", prepare: { try $0.prove($1) },
        save: endOtherSessions),
      .get("tokens", listTokens),
      newToken,
      .confirm(
        "tokens/{id}/revoke", title: "tokens.revoke", question: revokeQuestion,
        yes: "tokens.revoke.yes", cancel: "tokens", save: revokeToken),
      .get("deleted", DeletedPage.show),
      .post("deleted/restore", DeletedPage.restore),
      .post("deleted/purge", DeletedPage.purge),
      .get("access-log", AccessLogPage.show),
      .get("export", ExportPage.show),
      .post("export", ExportPage.download),
      deletionRoute,
    ] + secondFactorRoutes
  }

  var cards: [Card] {
    [Card("privacy.card", changedPrivacy), Card("approval.title", approval)]
  }

  var jobs: [Job] { [Job("purge", purge)] }

  var derived: [Derived] { [Profile.derivedName] }

  var personalData: PersonalData {
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
        "privacy.links", until: "privacy.until-a-day", columns: ["password_links.expires_at"]),
      .sealed("privacy.second-factor", until: "privacy.until-removed"),
      .plain(
        "privacy.trust", until: "privacy.until-thirty-days", seenBy: "privacy.seen-by-nobody",
        columns: [
          "accounts.second_factor_step", "trusted_browsers.trusted_at",
          "password_links.ends_second_factor", "password_mails.sent_at",
        ]),
      .sealed("privacy.tokens", until: "privacy.until-revoked"),
      .plain(
        "privacy.token-times", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["api_tokens.used_at", "api_tokens.expires_at"]),
      .sealed("privacy.api-answers", until: "privacy.until-a-day"),
      .sealed("privacy.access-log", until: "privacy.until-erased"),
      .plain(
        "privacy.looks", until: "privacy.until-erased", seenBy: "privacy.seen-by-nobody",
        columns: [
          "access_log.looker", "access_log.looker_role", "access_log.reason", "access_log.hour",
          "access_log.count", "change_log.author", "change_log.author_role", "change_log.reason",
          "change_log.at",
        ]),
      .sealed("privacy.uploads", until: "privacy.until-taken-in"),
      .plain(
        "privacy.sent", until: "privacy.until-two-days", seenBy: "privacy.seen-by-nobody",
        columns: [
          "uploads.page", "uploads.arrived_at", "api_answers.answered_at", "answered_forms.answer",
          "answered_forms.answered_at", "answered_forms.signed_in",
        ]),
      impersonal: Self.impersonal, export: export,
      fhir: { try $2.append(PatientResource.json(of: $0, on: $1)) },
      obstacle: Account.obstacle(toErasing:at:on:))
  }

  private func export(_ keys: Keys, _ connection: Connection, _ copy: JSONWriter) throws {
    guard let profile = try Profile.find(by: keys, on: connection) else { return }
    try copy.write("profile", Profile.form.json(profile))
    try copy.writeArray("access_log") { try AccessLog.export(by: keys, on: connection, to: $0) }
    try copy.write("api_tokens", AccessToken.json(by: keys, on: connection))
    try copy.writeArray("change_log") { try ChangeLog.export(by: keys, on: connection, to: $0) }
  }

  /// Deletes what has run out; everything here would have no effect any more.
  private func purge(_ portal: Portal) throws -> Instant {
    let now = portal.now
    try portal.database.write { connection in
      try Sessions.purge(at: now, on: connection)
      try AnsweredForms.purge(at: now, on: connection)
      try AnsweredRequests.purge(at: now, on: connection)
      try AccessToken.purge(at: now, on: connection)
      try Throttle.purge(now: now, on: connection)
      try OneTimeLink.purge(at: now, on: connection)
      try Upload.purge(at: now, on: connection)
      try TrustedBrowser.purge(at: now, on: connection)
      try ForgottenPassword.purge(at: now, on: connection)
    }
    // One module's trouble is not to undo what was purged for the others.
    for trash in trashes.flatMap(\.kinds) {
      try portal.database.write { try trash.purgeAll(now - Trash.keptFor, $0) }
    }
    return now + .hours(1)
  }
}
