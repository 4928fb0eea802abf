import PolyclinicCore
import PolyclinicWeb

/// The links of a week that lead to the visitor's data and to that of children in care, and those
/// with which the visitor asks to act for somebody.
///
/// An unused one is a key that somebody may hold, so that the visitor sees and cancels it.
struct GuardianLinkList {
  static let cancelling: Address<Void> = "/account/people/links/cancel"

  private let links: [GuardianInvitation]
  private let visitor: ID<Person>
  private let context: Context

  init(of children: [ID<Person>], _ context: Context) throws {
    self.context = context
    visitor = try context.signedIn().person
    links = try GuardianInvitation.all(
      for: [visitor] + children, context.server.vault, in: context)
  }

  /// The unused links with which somebody would act for this person.
  func offers(for person: ID<Person>) -> [GuardianInvitation] {
    links.filter { $0.usedBy == nil && $0.person == person && $0.kind != .request }
  }

  /// The unused links with which the visitor asks to act for somebody.
  var requests: [GuardianInvitation] {
    links.filter { $0.usedBy == nil && $0.inviter == visitor && $0.kind == .request }
  }

  /// True for the visitor's own link and for one of another parent; the clinic's stay.
  private func canCancel(_ link: GuardianInvitation) -> Bool {
    link.inviter == visitor || link.kind == .offer
  }

  /// Returns the words about an unused link, and the button that cancels it.
  func content(_ link: GuardianInvitation) -> HTML {
    let cancel = Portal.UnusedLink.Cancelling(
      "guardians.links.cancel", to: Self.cancelling.path, with: ["link": link.id])
    return context.content(
      of: Portal.UnusedLink(words(about: link), cancelling: canCancel(link) ? cancel : nil))
  }

  private func words(about link: GuardianInvitation) -> Text {
    func day(_ moment: Instant) -> String {
      context.formats.date(context.formats.day(of: moment))
    }
    let dates = ["made": day(link.changedAt), "until": day(link.expiry)]
    if link.kind == .request { return Text("guardians.links.request", dates) }
    if link.kind == .proved { return Text("guardians.links.clinic", dates) }
    let scope = context.text(Text("scope.\(link.scope.rawValue)"))
    let isForAdult = link.basis == .consent
    return Text(
      isForAdult ? "guardians.links.offer" : "guardians.links.parent",
      dates.merging(["scope": scope]) { $1 })
  }

  /// Cancels the link that the form names, and leads back to the page with it; one that is gone
  /// already is as good. The reception cancels the clinic's links for its patients.
  @Sendable
  static func cancel(_ context: Context) throws -> Response {
    try context.redirecting { context in
      let fields = context.request.fields
      let back = Redirect(to: Path(local: fields["next"]) ?? GuardianList.path)
      let cancelled = back.saying("form.link-cancelled")
      let list = try GuardianLinkList(of: context.childrenInCare, context)
      let own = list.links.first {
        $0.id == fields["link"] && $0.usedBy == nil && list.canCancel($0)
      }
      if let own {
        try own.cancel(on: context)
        return cancelled
      }
      guard let events = try context.cancelClinicLink(fields["link"]) else { return back }
      return events.reduce(cancelled) { $0.logging($1) }
    }
  }
}

extension Context {
  /// Cancels a link of the clinic to the data of a patient of the visitor's reception, and returns
  /// the security events. Returns nil for any other link, so that its id tells nothing.
  fileprivate func cancelClinicLink(_ id: String) throws -> [SecurityEvent]? {
    guard let link = try ClinicLink.find(id, in: self) else { return nil }
    do {
      try recordChange("access.guardian.link-cancelled", of: [link.person], for: .reception)
    } catch Refusal.forbidden { return nil }
    guard link.purpose == .account else {
      try link.cancel(on: self)
      return []
    }
    var administrator = try Administrator(self)
    try administrator.withdrawLink(of: link.person, on: self)
    return administrator.events
  }
}

extension Context {
  /// The children for whom the visitor acts as a parent.
  var childrenInCare: [ID<Person>] {
    get throws {
      try Guardianship.all(of: signedIn().person, server.vault, on: self).filter {
        $0.basis == .parentalResponsibility && $0.scope(at: now) != nil
      }.map(\.person)
    }
  }
}
