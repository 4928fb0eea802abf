import PolyclinicCore

/// The page with the person's certificates in their order.
struct CertificateList: RoutedPage {
  static let address: Address<Void> = "/vaccination-qr"
  static let first: Address<ID<Certificate>> = "/vaccination-qr/{id}/first"

  private let entries: [Certificate.Entry]
  /// The notice of a deletion a moment ago, with an undo button.
  private let notice: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    entries = try Certificate.entries(in: context)
    notice = try Certificate.records.undoNotice(context)
  }

  var page: Page {
    // Each row has a main button: to show a code is why people open this page.
    let add = context.button(
      "list.new", to: AddCertificate.path, style: entries.isEmpty ? [] : .secondary)
    let list: HTML =
      entries.isEmpty
      ? context.emptyState(.document, "list.empty", hint: "list.empty.hint", actions: add)
      : "\(rows: entries.map(row), style: " certificates")"
    let record = context.button("record.link", to: VaccinationList.path, style: .secondary)
    let print =
      entries.contains { !$0.kind.isEmpty }
      ? context.button("print.all", to: CertificateCards.path, style: .secondary) : nil
    return Page(
      "list.title",
      """
      \(notice)\(list)<p>\(context.moreLink("list.contacts", to: "/useful-contacts"))</p>
      """, actions: "\(actions: entries.isEmpty ? nil : add, record, print)",
      assets: [.certificates])
  }

  private func row(_ entry: Certificate.Entry) -> HTML {
    let thumbnail = CertificateFile.preview.path(entry.id)
    let picture: HTML =
      (entry.pages ?? 0) == 0
      ? "<span class=\"initial\">\(context.icon(.qr))</span>"
      : "<img src=\"\(thumbnail)\" alt=\"\" width=\"64\" height=\"64\" loading=\"lazy\">"
    let label = context.certificateTitle(entry.label, of: entry.holder)
    return """
      <li><a class="certificate" href="\(CertificatePage.path(entry.id))">\(picture)\
      <span><strong><bdi>\(label)</bdi></strong>\
      <span class="secondary-text">\(context.certificateDetail(entry))</span>\
      \(context.termBadge(entry.expires))</span></a>\
      \(actions:
        context.button(
          "show.button", to: CertificateScreen.path(entry.id), of: label))</li>
      """
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

  /// Returns a badge with the day of the technical expiry; nil for a certificate without one.
  func termBadge(_ lastDay: CalendarDate?) -> HTML? {
    expiryBadge(lastDay)
      ?? lastDay.map { badge(Text("certificate.until", ["date": formats.shortDate($0)])) }
  }

  /// Returns a badge with the day of a technical expiry that has passed; nil otherwise.
  func expiryBadge(_ lastDay: CalendarDate?) -> HTML? {
    guard let lastDay, lastDay < today else { return nil }
    return badge(Text("certificate.expired", ["date": formats.shortDate(lastDay)]), .waiting)
  }
}

extension Page.Asset {
  /// The style of certificates and their codes.
  static let certificates = Page.Asset("certificates.css", PackageResources.certificates_css)
  /// The script that takes a picture from the clipboard.
  static let paste = Page.Asset("paste.js", PackageResources.paste_js)
}
