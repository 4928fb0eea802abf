import Logging
import PolyclinicCore

/// All that the threads of a worker share: made at start, immutable from then on.
final class Front: Sendable {
  let installation: Installation
  let site: Site
  let database: any Database
  let vault: Vault
  let sessions: Sessions
  let answeredForms: AnsweredForms
  let answeredRequests: AnsweredRequests
  let antiForgery: AntiForgery
  let passwords: Passwords
  let passwordPolicy: PasswordPolicy
  let throttle: Throttle
  let securityLog: SecurityLog
  let assets: Assets
  let instruments: Instruments
  let tally: Tally
  /// The paths of all routes, by number.
  let patterns: [Router.Pattern]
  let clock: @Sendable () -> Instant
  let carriedForms: Carrier
  let pendingSignIns: PendingSignIns
  let storage: PersonStorage
  let fileTurn = FileTurn()
  private let zone: Zone
  /// Of each module, by its number: made once, asked for by each request.
  private let portals: [Portal]

  /// What is configured about the site as a whole.
  struct Site: Sendable {
    let origin: Origin
    let clinic: Organization
    /// Nil where no e-mail is sent.
    var mail: OutgoingMail?
    /// The most that one person may store.
    var quota = Configuration.Storage().quota
    var usefulContacts = UsefulContacts()
    /// The accounts that have to have a second factor.
    var secondFactor = SecondFactor.Rule.optional
  }

  init(
    installation: Installation, site: Site, database: any Database, vault: Vault,
    passwords: Passwords, assets: Assets, instruments: Instruments,
    securityLog: Logger = Logger(label: "security"), clock: @escaping @Sendable () -> Instant
  ) throws {
    self.installation = installation
    self.site = site
    self.database = database
    self.vault = vault
    self.passwords = passwords
    self.assets = assets
    self.instruments = instruments
    patterns = installation.router.patterns + installation.api.patterns
    tally = Tally(instruments, patterns)
    self.clock = clock
    sessions = Sessions()
    answeredForms = AnsweredForms(vault)
    answeredRequests = AnsweredRequests(vault)
    antiForgery = AntiForgery(vault)
    passwordPolicy = PasswordPolicy(portalName: site.clinic.name)
    throttle = Throttle(vault)
    self.securityLog = SecurityLog(securityLog, vault)
    carriedForms = try Carrier(vault)
    pendingSignIns = try PendingSignIns(vault)
    storage = try database.read { try PersonStorage(quota: site.quota, on: $0) }
    let zone = site.clinic.zone
    self.zone = zone
    let cabinet = KeyCabinet(
      vault, relations: installation.offers.find((any CareRelations).self))
    let people = AccountDirectory(vault: vault, cabinet: cabinet, clock: clock, zone: zone)
    portals = installation.members.map { member in
      Portal(
        database: database, settings: member.settings, clinic: site.clinic, origin: site.origin,
        keys: vault.portalKeys, keyHolder: cabinet,
        secretAddresses: SecretAddressBook(vault: vault, module: member.module.id), people: people,
        usefulContacts: site.usefulContacts,
        noticeBoard: ModuleNoticeBoard(
          module: member.module.id, kinds: member.module.noticeKinds, words: member.phrasebook,
          language: site.clinic.defaultLanguage, vault: vault, sendsMail: site.mail != nil),
        offers: installation.offers, phrasebook: member.phrasebook,
        phrasebooks: installation.phrasebooks, towns: { try assets.gazetteer.contents() },
        clock: clock)
    }
  }

  func formats(_ language: Language) -> Formats { Formats(language: language, timeZone: zone) }

  /// The portal as a module sees it.
  func portal(for member: Installation.Member) -> Portal { portals[member.number] }

  /// The language that a visitor's browser asks for, of those that the clinic speaks.
  func preferredLanguage(cookie: String?, acceptLanguage: String) -> Language {
    let offered = site.clinic.languages
    if let chosen = cookie.flatMap(Language.init(rawValue:)), offered.contains(chosen) {
      return chosen
    }
    return Language.preferred(acceptLanguage, among: offered) ?? site.clinic.defaultLanguage
  }
}
