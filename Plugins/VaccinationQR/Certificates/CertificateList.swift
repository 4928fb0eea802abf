import PolyclinicCore
import PolyclinicPlaces

extension CertificatePages {
  /// Returns the page with the person's certificates in their order and the upload form.
  static func listPage(_ form: HTML, _ context: Context) throws -> Page {
    let entries = try Certificate.entries(in: context)
    let notice = try Certificate.records.undoNotice(context)
    let list = CertificateList(entries: entries, context: context)
    return Page(
      "list.title",
      "\(notice)\(list.html)\(upload(form, isFirst: entries.isEmpty, context))\(contacts(context))",
      actions: list.actions, assets: [.certificates, .paste])
  }

  /// The useful contacts of the clinic's country, or of the EU, and the way to the others.
  private static func contacts(_ context: Context) -> HTML {
    let own = context.portal.clinic.country
    return """
      \(CertificateViews.contacts(of: own.isEmpty ? UsefulContacts.europeanUnion : own, context))\
      \(actions:
        context.button("contacts.emergency.others", to: "/useful-contacts", style: .secondary))
      """
  }

  private static func upload(_ form: HTML, isFirst: Bool, _ context: Context) -> HTML {
    """
    <section data-paste><h2>\(context.text(isFirst ? "list.first" : "list.new"))</h2>\
    <p class="hint" data-paste-hint hidden>\(context.text("upload.paste"))</p>\(form)</section>
    """
  }
}

/// The list of certificates.
struct CertificateList {
  let entries: [Certificate.Entry]
  let context: Context

  var html: HTML {
    if entries.isEmpty {
      return context.emptyState(
        .document, "list.empty", hint: "list.empty.hint", leadingTo: ("image", "list.first"))
    }
    return "\(rows: entries.enumerated().map { row($0, $1) }, style: " certificates")"
  }

  /// The buttons beside the heading.
  var actions: HTML {
    let print: HTML? =
      entries.contains { !$0.kind.isEmpty }
      ? context.button("print.all", to: "/vaccination-qr/print", style: .secondary) : nil
    return """
      \(actions:
        context.button("record.link", to: "/vaccination-qr/record", style: .secondary),
        print)
      """
  }

  private func row(_ place: Int, _ entry: Certificate.Entry) -> HTML {
    let holder: HTML? = entry.holder.isEmpty ? nil : " · <bdi>\(entry.holder)</bdi>"
    let kind: Text = entry.kind.isEmpty ? "kind.none" : Text("kind.\(entry.kind)")
    return """
      <li><a class="certificate" href="/vaccination-qr/\(entry.id)">\(picture(entry))\
      <span><strong><bdi>\(CertificateViews.name(entry.label, context))</bdi></strong>\
      <span class="secondary-text">\(context.text(kind))\(holder)</span></span></a>\
      \(actions: show(entry), moves(place, entry))</li>
      """
  }

  private func picture(_ entry: Certificate.Entry) -> HTML {
    if (entry.pages ?? 0) == 0 { return context.icon(.document) }
    return """
      <img src="/vaccination-qr/\(entry.id)/thumbnail" alt="" width="64" height="64" loading="lazy">
      """
  }

  private func show(_ entry: Certificate.Entry) -> HTML {
    context.button("show.button", to: "/vaccination-qr/\(entry.id)/show", style: .small)
  }

  /// Returns the buttons that change the order. The first certificate has none, and the second only
  /// "first".
  private func moves(_ place: Int, _ entry: Certificate.Entry) -> HTML? {
    func button(_ text: Text, _ address: Path) -> HTML {
      context.button(text, posts: address, style: [.secondary, .small])
    }
    if place == 0 { return nil }
    let first = button("order.first", "/vaccination-qr/\(entry.id)/first")
    return place == 1 ? first : "\(button("order.up", "/vaccination-qr/\(entry.id)/up"))\(first)"
  }
}

enum CertificateViews {
  /// Returns the label, or "Certificate" if it is empty.
  static func name(_ label: String, _ context: Context) -> String {
    label.isEmpty ? context.text("certificate.unnamed") : label
  }

  /// Returns the telephone numbers and websites of a country for travellers, below a heading.
  static func contacts(of country: String, _ context: Context) -> HTML {
    """
    <h2>\(context.text("contacts.of")) \
    <bdi>\(context.usefulContactsName(of: country))</bdi></h2>\
    \(context.usefulContacts(of: country))
    """
  }
}

extension Page.Asset {
  /// The style of certificates and their codes.
  static let certificates = Page.Asset("certificates.css", PackageResources.certificates_css)
  /// The script that takes a picture from the clipboard.
  static let paste = Page.Asset("paste.js", PackageResources.paste_js)
}
