import PolyclinicCore
import PolyclinicPlaces

/// The page with the person's certificates in their order, and the form for a new one.
struct CertificateList: RoutedForm {
  static let address: Address<Void> = "/vaccination-qr"
  static let first: Address<ID<Certificate>> = "/vaccination-qr/{id}/first"
  static let title = submit
  static let form = NewCertificate.form
  static let submit: Text = "upload.keep"
  static let cancel = path
  static let preparesOnce = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// The page. It loads the list itself, because a file that is saved shows none.
  func page(around form: HTML) throws -> Page? {
    let entries = try Certificate.entries(in: context)
    let list: HTML =
      entries.isEmpty
      ? context.emptyState(
        .document, "list.empty", hint: "list.empty.hint", leadingTo: ("image", "list.first"))
      : "\(rows: entries.map(row), style: " certificates")"
    let record = context.button("record.link", to: VaccinationList.path, style: .secondary)
    let print =
      entries.contains { !$0.kind.isEmpty }
      ? context.button("print.all", to: CertificateCards.path, style: .secondary) : nil
    return Page(
      "list.title",
      """
      \(try Certificate.records.undoNotice(context))\(list)\
      <section data-paste><h2>\(context.text(entries.isEmpty ? "list.first" : "list.new"))</h2>\
      <p class="hint" data-paste-hint hidden>\(context.text("upload.paste"))</p>\(form)</section>\
      \(contacts)
      """, actions: "\(actions: record, print)", assets: [.certificates, .paste])
  }

  private func row(_ entry: Certificate.Entry) -> HTML {
    let thumbnail = CertificateFile.preview.path(entry.id)
    let picture: HTML =
      (entry.pages ?? 0) == 0
      ? context.icon(.document)
      : "<img src=\"\(thumbnail)\" alt=\"\" width=\"64\" height=\"64\" loading=\"lazy\">"
    let label = context.certificateTitle(entry.label, of: entry.holder)
    return """
      <li><a class="certificate" href="\(CertificatePage.path(entry.id))">\(picture)\
      <span><strong><bdi>\(label)</bdi></strong>\
      <span class="secondary-text">\(context.certificateDetail(entry))</span>\
      \(context.expiryBadge(entry.expires))</span></a>\
      \(actions:
        context.button(
          "show.button", to: CertificateScreen.path(entry.id), style: [.secondary, .small],
          of: label))</li>
      """
  }

  /// The useful contacts of the clinic's country, or of the EU, and the way to the others.
  private var contacts: HTML {
    let own = context.portal.clinic.country
    return """
      \(context.contactsOnTravels(in: own.isEmpty ? UsefulContacts.europeanUnion : own))\
      \(actions:
        context.button("contacts.emergency.others", to: "/useful-contacts", style: .secondary))
      """
  }

  func prepare(_ certificate: inout NewCertificate, in context: Context) throws {
    try certificate.read(context)
  }

  func save(_ certificate: NewCertificate, in context: Context) throws -> Redirect {
    let isKept = try certificate.isKept(in: context)
    let id = try certificate.insert(in: context)
    let kept = certificate.hasMorePages ? "part" : isKept ? "again" : "yes"
    return Redirect(to: CertificatePage.path(id).query(["kept": kept]))
  }

  /// Moves a certificate before all others, and renumbers the person's certificates.
  static func moveFirst(_ context: Context) throws -> Path {
    let id: ID<Certificate> = try context.id()
    var entries = try Certificate.entries(in: context)
    guard let index = entries.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
    entries.insert(entries.remove(at: index), at: 0)
    let moved = try zip(1..., entries).filter { $1.place != $0 }.map { place, entry in
      guard var certificate = try Certificate.records.find(entry.id, in: context) else {
        throw Refusal.notFound
      }
      certificate.place = place
      return (id: entry.id, record: certificate)
    }
    try Certificate.records.replace(contentsOf: moved, in: context)
    return path
  }
}

extension Context {
  /// Returns the label of a certificate; without one its holder, and "Certificate" without either.
  func certificateTitle(_ label: String, of holder: String) -> String {
    [label, holder].first { !$0.isEmpty } ?? text("certificate.unnamed")
  }

  /// Returns the kind and the holder of a certificate.
  func certificateDetail(_ entry: Certificate.Entry) -> HTML {
    let kind: Text = entry.kind.isEmpty ? "kind.none" : Text("kind.\(entry.kind)")
    let holder: HTML? = entry.holder.isEmpty ? nil : " · <bdi>\(entry.holder)</bdi>"
    return "\(text(kind))\(holder)"
  }

  /// Returns a badge with the day of a technical expiry that has passed; nil otherwise.
  func expiryBadge(_ lastDay: CalendarDate?) -> HTML? {
    guard let lastDay, lastDay < today else { return nil }
    return badge(Text("certificate.expired", ["date": formats.shortDate(lastDay)]), .waiting)
  }

  /// Returns the telephone numbers and websites of a country for travellers, below a heading.
  func contactsOnTravels(in country: String) -> HTML {
    """
    <h2>\(text("contacts.of")) <bdi>\(usefulContactsName(of: country))</bdi></h2>\
    \(usefulContacts(of: country))
    """
  }
}

extension Page.Asset {
  /// The style of certificates and their codes.
  static let certificates = Page.Asset("certificates.css", PackageResources.certificates_css)
  /// The script that takes a picture from the clipboard.
  static let paste = Page.Asset("paste.js", PackageResources.paste_js)
}
