import Logging
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicServing
import PolyclinicStore
import PolyclinicVault

/// The state that all threads of a worker share. It is created at start-up and immutable.
package final class ServerContext: Sendable {
  package let installation: Installation
  package let site: Site
  package let signIn: SignIn
  package let database: any Database
  /// True if a database server holds the rows, and deleted ones for longer than the portal can tell.
  package let hasDatabaseServer: Bool
  package let vault: Vault
  package let sessions: Sessions
  let idempotency: IdempotencyStore
  package let antiForgery: AntiForgery
  package let passwords: Passwords
  package let passwordPolicy: PasswordPolicy
  package let throttle: Throttle
  package let securityLog: SecurityLog
  package let assets: Assets
  package let instruments: Instruments
  package let metrics: RequestMetrics
  /// The paths of all routes and API resources, by number.
  let patterns: [Router.Pattern]
  package let clock: @Sendable () -> Instant
  package let interruptedForms: InterruptedForm
  package let pendingSignIns: PendingSignIns
  package let passkeyChallenges: PasskeyChallenges
  /// The portal as authenticators know it; nil if its address allows no passkeys.
  package let relyingParty: RelyingParty?
  package let storage: PersonStorage
  let largeFileLimiter = LargeFileLimiter()
  private let zone: Zone
  /// The portal of each module, by the module's number. They are cached, because each request needs
  /// one.
  private let portals: [Portal]

  /// The configuration of the site as a whole.
  package struct Site: Sendable {
    package let origin: Portal.Origin
    package let clinic: Portal.Organization
    /// The ways by which the site sends messages, besides the browser.
    package var sends: Set<Notice.Kind.Way> = []
    /// True if the site sends e-mails.
    package var sendsMail: Bool { sends.contains(.email) }
    /// The storage limit of one person.
    package var quota = PersonStorage.defaultQuota
    package var usefulContacts = UsefulContacts()
    /// The accounts that must have a second factor.
    package var secondFactor = SecondFactorRule.optional
    /// The time at which people are asked for their postal address.
    package var addressRule = AskingRule.later
    /// The time at which people choose their clinic.
    package var clinicRule = AskingRule.later
    /// The ages at which a parent's rights change.
    package var guardianship = GuardianshipAges()

    package init(origin: Portal.Origin, clinic: Portal.Organization) {
      self.origin = origin
      self.clinic = clinic
    }
  }

  /// The page that replaces any other if its visitor has to sign in.
  package struct SignIn: Sendable {
    /// The module of the page.
    let module: ModuleID
    /// Returns the page in place of the route's. It carries a form that was submitted.
    let page: @Sendable (Route, Context) throws -> Response

    package init(
      module: ModuleID, page: @escaping @Sendable (Route, Context) throws -> Response
    ) {
      self.module = module
      self.page = page
    }
  }

  package init(
    installation: Installation, site: Site, signIn: SignIn, database: any StoredDatabase,
    vault: Vault, passwords: Passwords, assets: Assets, instruments: Instruments,
    securityLog: Logger = Logger(label: "security"), clock: @escaping @Sendable () -> Instant,
    reference: ServerReference, guardianNotices: any GuardianNotices,
    noticeBoard: (InstalledModule) -> any NoticeBoard
  ) throws {
    self.installation = installation
    self.site = site
    self.signIn = signIn
    self.database = database
    hasDatabaseServer = database.dialect == .postgresql
    self.vault = vault
    self.passwords = passwords
    self.assets = assets
    self.instruments = instruments
    patterns = installation.router.patterns + installation.api.patterns
    metrics = RequestMetrics(instruments, patterns)
    self.clock = clock
    sessions = Sessions()
    idempotency = IdempotencyStore(vault)
    antiForgery = AntiForgery(vault)
    passwordPolicy = PasswordPolicy(portalName: site.clinic.name)
    throttle = Throttle(vault)
    self.securityLog = SecurityLog(securityLog, vault)
    interruptedForms = try InterruptedForm(vault)
    pendingSignIns = try PendingSignIns(vault)
    passkeyChallenges = try PasskeyChallenges(vault)
    relyingParty = RelyingParty(site.origin)
    storage = PersonStorage(quota: site.quota, try database.read { try database.tables(on: $0) })
    let zone = site.clinic.zone
    self.zone = zone
    let keyStore = KeyStore(
      vault, relations: installation.offers.find((any CareRelations).self))
    let people = AccountDirectory(
      vault: vault, keyStore: keyStore, zone: zone,
      language: site.clinic.defaultLanguage, ages: site.guardianship,
      titles: installation.moduleTitles, guardianNotices: guardianNotices)
    let offers = installation.offers.adding(Offer((any Towns).self, assets.gazetteer))
      .adding(Offer((any HomeAddresses).self, people))
      .adding(Offer(UsefulContacts.self, site.usefulContacts))
      // For the pages of the built-in modules, which alone can name its type.
      .adding(Offer(ServerReference.self, reference))
    portals = installation.members.map { member in
      Portal(
        database: database, settings: member.settings, clinic: site.clinic, origin: site.origin,
        keys: vault.portalKeys, keyHolder: keyStore,
        secretAddresses: SecretAddressBook(vault: vault, module: member.module.id), people: people,
        noticeBoard: noticeBoard(member),
        offers: offers, phrasebook: member.phrasebook, phrasebooks: installation.phrasebooks,
        assets: assets, clock: clock)
    }
    reference.set(self)
  }

  package func formats(_ language: Language) -> Formats {
    Formats(language: language, timeZone: zone)
  }

  /// Returns the portal as a module sees it.
  package func portal(for member: InstalledModule) -> Portal { portals[member.number] }

  /// Returns the language of a request: the user's, if the clinic offers it, otherwise the one that
  /// the browser prefers. API clients send no language cookie.
  func language(
    of session: Sessions.Session?, _ bearer: AccessToken.Bearer?, _ wire: WireRequest
  ) -> Language {
    let own = session?.language ?? (wire.acceptLanguage.isEmpty ? bearer?.language : nil)
    if let own, site.clinic.languages.contains(own) { return own }
    return preferredLanguage(
      cookie: wire.client.cookie(Cookies.language),
      acceptLanguage: wire.acceptLanguage)
  }

  /// Returns the clinic's language for a visitor: the cookie's, else the best match with the
  /// browser's languages, else the clinic's default.
  func preferredLanguage(cookie: String?, acceptLanguage: String) -> Language {
    let offered = site.clinic.languages
    if let chosen = cookie.flatMap(Language.init(rawValue:)), offered.contains(chosen) {
      return chosen
    }
    return Language.preferred(acceptLanguage, among: offered) ?? site.clinic.defaultLanguage
  }
}
