import PolyclinicCore
import PolyclinicWeb

/// People, accounts and sign-in, as a built-in module.
package struct AccountsModule: Module {
  package static let moduleID: ModuleID = "account"
  package let id = moduleID
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
    files: InstallationFiles, parts: [OwnedProfilePart],
    address: AskingRule = .later, clinic: AskingRule = .later,
    trashes: [Trash], retentions: [PersonalData.Retention], programs: [ProgramAccess]
  ) {
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

  package var guardianAccess: GuardianAccess { .nothing("error.403.own-pages") }

  package var routes: [Route] {
    [
      SignInPage.route, SecondStep.route, PasskeySignIn.route, PasskeySignIn.optionsRoute,
      .post(SignInPage.leaving.pattern, SignInPage.signOut),
      ForgottenPasswordPage.route, PasswordReset.route, Invitation.route,
      .post("/language", access: .everyone, Self.chooseLanguage),
      .post("/text-size", access: .everyone, Self.chooseTextSize),
      PrivacyPage.route, .post(PrivacyPage.agreement.pattern, PrivacyPage.agree),
      RegistrationWelcome.route, AccountPage.route, ProfileEdit.route(self), PasswordChange.route,
      SecondFactorPage.route, SetUpSecondFactor.route, NewRecoveryCodes.route,
      RemoveSecondFactor.route,
      PasskeyList.route, AddPasskey.route, NewPasskey.route, RenamePasskey.route,
      RemovePasskey.route, .post(PasskeyList.dismissing.pattern, save: PasskeyList.dismiss),
      SessionList.route, EndSession.route, EndOtherSessions.route,
      .post(SessionList.forgetting.pattern, SessionList.forgetBrowser),
      TokenList.route, NewToken.route(programs), RevokeToken.route,
      // The least right, because the page asks for that of each module.
      DeletedPage.route.forGuardians(.bookings),
      .post(DeletedPage.restoring.pattern, DeletedPage.restore).forGuardians(.bookings),
      .post(DeletedPage.purging.pattern, DeletedPage.purge).forGuardians(.bookings),
      GuardianList.route, NewChild.route, ChildCorrection.route, GiveAccess.route,
      GuardianRequest.route, ChangeAccess.route, UndoInvitation.route,
      .post(GuardianLinkList.cancelling.pattern, GuardianLinkList.cancel),
      InviteGuardian.route, AcceptGuardianship.route, AllowGuardian.route,
      LeaveGuardianship.route, WithdrawAccess.route, ConnectGuardian.route,
      AgreeToReading.route, InviteChild.route, PatientPasswordLink.route, PatientInvitation.route,
      DisconnectGuardian.route,
      AccessLogPage.route.forGuardians(.records), SharedRecords.route.forGuardians(.custody),
      .post(SharedRecords.withdrawing.pattern, SharedRecords.withdraw).forGuardians(.custody),
      ShareRecords.route.forGuardians(.custody), ShareAccessLog.route.forGuardians(.custody),
      SharedWithMe.route, ExportPage.route.forGuardians(.custody),
      // The right to change is not needed: the handler asks for that to read.
      .post(ExportPage.path, ExportPage.download).forGuardians(.bookings),
      AccountDeletion.route, Registration.route(self), AdministratorSetUp.route(self),
    ]
  }

  package var cards: [Card] {
    [
      Card("privacy.card", PrivacyPage.card), Card("approval.title", AccountPage.approval),
      Card(
        "sharing.with-me", icon: .document, access: .role(.doctor), SharedWithMe.card),
      Card("passkeys.offer.title", icon: .key, PasskeyList.offer).last(),
    ]
  }

  package var firstSteps: [Link.FirstStep] {
    [
      Link.FirstStep(
        "first-steps.profile", about: "first-steps.profile.about", to: ProfileEdit.path,
        access: .signedIn
      ) {
        let profile = try Profile.own(in: $0)
        return !profile.phone.isEmpty && profile.hasAddress && profile.birthDate != nil
      },
      Link.FirstStep(
        "two-factor.set-up", about: "first-steps.codes.about", to: SecondFactorPage.path,
        access: .signedIn
      ) { try $0.hasSecondFactor },
      Link.FirstStep(
        "first-steps.care", about: "first-steps.care.about", to: GuardianList.path,
        access: .signedIn, isOptional: true
      ) { !$0.peopleInCare.isEmpty },
    ]
  }

  package var jobs: [Job] { [Job("purge", purge)] }

  package var checks: [HealthCheck] {
    [HealthCheck("passkeys", { _ in nil }, details: lostPasskeys)]
  }

  package var rebuildableIndexes: [RebuildableIndex] { [Profile.nameIndex] }

  package var personalData: PersonalData {
    PersonalData(
      .sealed(
        "privacy.profile", until: "privacy.until-erased", seenBy: "privacy.profile.seen-by"),
      .plain(
        "privacy.account", until: "privacy.until-erased",
        columns: [
          "accounts.state", "accounts.roles", "accounts.wanted_role", "accounts.language",
          "accounts.consent_version", "accounts.consented_at", "accounts.passkey_offer_closed",
          "people.stored_bytes", "people.stored_records",
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
      .sealed("privacy.passkeys", until: "privacy.until-passkey-removed"),
      .plain(
        "privacy.passkey-times", until: "privacy.until-passkey-removed",
        seenBy: "privacy.seen-by-nobody", columns: ["passkeys.created_at", "passkeys.used_at"]),
      .sealed("privacy.tokens", until: "privacy.until-revoked"),
      .plain(
        "privacy.token-times", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["api_tokens.used_at", "api_tokens.expires_at"]),
      .sealed("privacy.api-answers", until: "privacy.until-a-day"),
      .sealed("privacy.access-log", until: "privacy.until-erased"),
      .plain(
        "privacy.views", until: "privacy.until-erased", seenBy: "privacy.seen-by-nobody",
        columns: [
          "access_log.author", "access_log.role", "access_log.reason", "access_log.viewed",
          "access_log.at", "access_log.count",
        ]),
      .plain(
        "privacy.guardians", until: "privacy.until-erased", seenBy: "privacy.guardians.seen-by",
        columns: [
          "guardianships.guardian", "guardianships.basis", "guardianships.scope",
          "guardianships.agreed", "guardianships.starts_at", "guardianships.review_at",
          "guardianships.ends_at", "guardianships.state", "guardianships.reason",
          "guardianships.decided_by", "guardianships.decided_at",
        ]),
      .plain(
        "privacy.consents", until: "privacy.until-erased", seenBy: "privacy.consents.seen-by",
        columns: [
          "consents.reader", "consents.module", "consents.reason", "consents.starts_at",
          "consents.ends_at",
        ]),
      .plain(
        "privacy.guardian-links", until: "privacy.until-week-after-use",
        columns: [
          "guardian_invitations.kind", "guardian_invitations.inviter",
          "guardian_invitations.basis", "guardian_invitations.scope",
          "guardian_invitations.ends_at", "guardian_invitations.expires_at",
          "guardian_invitations.used_by",
        ]),
      .sealed("privacy.uploads", until: "privacy.until-taken-in"),
      .plain(
        "privacy.sent", until: "privacy.until-two-days", seenBy: "privacy.seen-by-nobody",
        columns: [
          "uploads.page", "uploads.arrived_at", "answered_forms.answer",
          "answered_forms.answered_at", "answered_forms.signed_in",
        ]),
      impersonal: Self.impersonal, export: export,
      fhir: { try $1.append(Profile.patientResource(in: $0)) },
      obstacle: Account.obstacle(toErasing:in:), loss: Guardianship.erasureLoss)
  }

  /// Sets the visitor's language, in the browser and in the account.
  private static func chooseLanguage(_ context: Context) throws -> Response {
    let fields = context.request.fields
    guard let language = Language(rawValue: fields["language"]),
      context.portal.clinic.languages.contains(language)
    else { throw Refusal.malformed }
    let next = Path(local: fields["next"]) ?? "/"
    guard let visitor = context.visitor else { return .redirect(to: next).speaking(language) }
    return try context.change {
      try Account.setLanguage(language, of: visitor.person, on: $0)
      return next
    }.speaking(language)
  }

  /// Sets the size of all text in the visitor's browser.
  private static func chooseTextSize(_ context: Context) throws -> Response {
    let fields = context.request.fields
    guard let size = TextSize(rawValue: fields["size"]) else { throw Refusal.malformed }
    return size.kept(in: .redirect(to: Path(local: fields["next"]) ?? "/"))
  }

  private func export(_ work: Work, _ copy: JSON.Writer) throws {
    guard let profile = try Profile.find(in: work) else { return }
    try copy.write("profile", Profile.form.json(profile))
    try copy.writeArray("access_log") { try AccessLog.export(in: work, to: $0) }
    try copy.write("api_tokens", AccessToken.json(by: work.keys, on: work))
    try copy.write("passkeys", Passkey.json(in: work))
    try copy.write("guardianships", Guardianship.json(of: work.keys.person, on: work))
  }

  /// Returns the warning about passkeys that a change of the portal's address has made useless; nil
  /// if there are none. Their owners see them in their lists.
  private func lostPasskeys(_ portal: Portal) throws -> String? {
    let lost = try portal.database.read {
      try Passkey.countOfOthers(than: RelyingParty(portal.origin), on: $0)
    }
    if lost == 0 { return nil }
    return """
      \(lost) of the stored passkeys were made for another host name than \(portal.origin.host), and \
      work no more. Their owners sign in with their passwords, and can make new ones.
      """
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
      try GuardianInvitation.purge(at: now, on: connection)
      try SharingConsent.purge(at: now, on: connection)
      try Upload.purge(at: now, on: connection)
      try RememberedBrowsers.trusted.purge(at: now, on: connection)
      try RememberedBrowsers.offline.purge(at: now, on: connection)
      try ForgottenPassword.purge(at: now, on: connection)
      try PasskeyChallenges.purge(at: now, on: connection)
    }
    // One transaction each, so that a failure of one module does not roll back the others.
    for trash in trashes.flatMap(\.kinds) {
      try portal.write { try trash.purgeAll(now - Trash.keptFor, $0) }
    }
    for retention in retentions { try portal.write { try retention.purge($0) } }
    return now + .hours(1)
  }
}

extension Context {
  /// The accounts module, for the configuration that its pages show.
  var accounts: AccountsModule {
    get throws {
      let modules = server.installation.members.lazy.map(\.module)
      guard let accounts = modules.compactMap({ $0 as? AccountsModule }).first else {
        throw Refusal.notFound
      }
      return accounts
    }
  }
}

extension Catalog {
  package static let accounts = Catalog(
    en: [
      PackageResources.accounts_en_json, PackageResources.profile_en_json,
      PackageResources.privacy_en_json, PackageResources.consent_en_json,
      PackageResources.invitation_en_json, PackageResources.tokens_en_json,
      PackageResources.two_factor_en_json, PackageResources.guardians_en_json,
      PackageResources.passkeys_en_json, PackageResources.sharing_en_json,
    ],
    ru: [
      PackageResources.accounts_ru_json, PackageResources.profile_ru_json,
      PackageResources.privacy_ru_json, PackageResources.consent_ru_json,
      PackageResources.invitation_ru_json, PackageResources.tokens_ru_json,
      PackageResources.two_factor_ru_json, PackageResources.guardians_ru_json,
      PackageResources.passkeys_ru_json, PackageResources.sharing_ru_json,
    ],
    he: [
      PackageResources.accounts_he_json, PackageResources.profile_he_json,
      PackageResources.privacy_he_json, PackageResources.consent_he_json,
      PackageResources.invitation_he_json, PackageResources.tokens_he_json,
      PackageResources.two_factor_he_json, PackageResources.guardians_he_json,
      PackageResources.passkeys_he_json, PackageResources.sharing_he_json,
    ])
}
