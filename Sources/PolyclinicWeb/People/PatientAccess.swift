import PolyclinicCore
import PolyclinicVault

/// The access to a patient's data besides the visitor's: by an account, and by those who act for a
/// child.
extension AccountDirectory {
  /// The words of a guardian's access log, after staff has read the name at a child's data.
  private static let viewedGuardian = Text("access.viewed.guardian").spoken(by: "account")

  func receptionLinks(from origin: Path, in work: Work) throws -> [Portal.ReceptionLink] {
    let person = try work.keys.person
    func link(_ label: Text, _ page: Path) -> Portal.ReceptionLink {
      Portal.ReceptionLink(
        label.spoken(by: "account"), to: page.query(["next": origin.description]))
    }
    if let account = try Account.find(person, on: work) {
      if account.isStaff { return [] }
      return [link("desk-password.button", "/account/people/\(person)/password")]
    }
    guard let born = try birthDate(in: work) else { return [] }
    let isChild = GuardianshipAges.reached(ages.end, born: born, in: zone).map { work.now < $0 }
    var links: [Portal.ReceptionLink] = []
    if isChild == true {
      links.append(link("guardians.connect", "/account/people/\(person)/connect"))
    }
    if GuardianshipAges.allowAccount(born: born, at: work.now, in: zone) {
      links.append(link("desk-account.button", "/account/people/\(person)/invitation"))
    }
    return links
  }

  func unusedLinks(from origin: Path, in work: Work) throws -> [Portal.UnusedLink] {
    let links = try ClinicLink.all(for: work.keys.person, in: work)
    if links.isEmpty { return [] }
    // Not logged, because who makes a link signs it, as an appointment's history names staff.
    let names = Dictionary(
      try Profile.unloggedNames(of: links.compactMap(\.maker), vault, on: work)
        .map { ($0.person, $0.name) }, uniquingKeysWith: { one, _ in one })
    return links.map { link in
      Portal.UnusedLink(
        link.words(madeBy: link.maker.flatMap { names[$0] }, in: zone),
        cancelling: .init(
          Text("guardians.links.cancel").spoken(by: "account"), to: "/account/people/links/cancel",
          with: ["link": link.id, "next": origin.description]))
    }
  }

  func recordsShown(in work: Work) throws -> [Portal.ShownRecords] {
    let person = try work.keys.person
    return try SharingConsent.all(from: person, to: work.signedIn(), vault, in: work).compactMap {
      guard $0.reason == .consent, let title = titles[$0.module] else { return nil }
      let page = Path(checked: "\(PersonInCare.prefix(person))/\($0.module)")
      return Portal.ShownRecords(title, at: page, endsAt: $0.endsAt)
    }
  }

  func guardians(
    for reason: AccessReason, from origin: Path, in work: Work
  ) throws -> [Portal.Guardian] {
    try check(reason, in: work)
    let all = try Guardianship.all(for: work.keys.person, vault, on: work)
      .filter {
        $0.basis == .parentalResponsibility
          && ($0.scope(at: work.now) != nil || reason == .reception && $0.state == .blocked)
      }
      .sorted { ($0.startsAt, $0.guardian) < ($1.startsAt, $1.guardian) }
    let names = try names(ofGuardians: all.map(\.guardian), for: reason, in: work)
    return all.compactMap { guardianship in
      names[guardianship.guardian].map { name in
        Portal.Guardian(
          name: name, since: guardianship.startsAt, isBlocked: guardianship.state == .blocked,
          ending: reason == .reception && guardianship.isGivenByClinicLink(at: work.now)
            ? ending(guardianship, of: name, from: origin) : nil)
      }
    }
  }

  func guardians(
    ofFound person: ID<Person>, for reason: AccessReason, in work: Work
  ) throws -> [String] {
    try check(reason, in: work)
    guard let keys = try keyStore.unloggedKeys(of: person, on: work) else { return [] }
    return try guardians(for: reason, from: "/", in: work.with(keys))
      .filter { !$0.isBlocked }.map(\.name)
  }

  /// Returns the names of those who act for a child. Each of them finds an entry in their access log.
  func names(
    ofGuardians guardians: [ID<Person>], for reason: AccessReason, in work: Work
  ) throws -> [ID<Person>: String] {
    if guardians.isEmpty { return [:] }
    let visitor = try work.signedIn()
    let keys = try guardians.compactMap { try keyStore.unloggedKeys(of: $0, on: work) }
    try AccessLog.record(
      keys.filter { $0.person != visitor.person }, for: reason, reading: Self.viewedGuardian,
      in: work)
    return try Profile.all(of: keys, on: work).mapValues(\.displayName)
  }

  private func ending(
    _ guardianship: Guardianship, of name: String, from origin: Path
  ) -> Portal.ReceptionLink {
    let page: Path = "/account/people/\(guardianship.person)/disconnect"
    return Portal.ReceptionLink(
      Text("guardians.disconnect.named", ["name": name]).spoken(by: "account"),
      to: page.query([
        "guardian": guardianship.guardian.description, "next": origin.description,
      ]))
  }
}
