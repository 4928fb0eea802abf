import PolyclinicCore

extension VaccinationQRModule {
  /// The person's certificates in their order, and the form for another one.
  func listPage(_ form: HTML, _ context: Context) throws -> Page {
    let (entries, notice) = try context.database.read { connection in
      (
        try Certificate.entries(by: context.keys, on: connection),
        try Certificate.records.undoNotice(context, on: connection)
      )
    }
    let list = CertificateList(entries: entries, context: context)
    return Page(
      "list.title", "\(notice)\(list.html)\(upload(form, isFirst: entries.isEmpty, context))",
      actions: list.actions, scripts: ["paste.js"])
  }

  private func upload(_ form: HTML, isFirst: Bool, _ context: Context) -> HTML {
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
      return """
        <section class="empty">\(context.icon(.document))<h2>\(context.text("list.empty"))</h2>\
        <p>\(context.text("list.empty.hint"))</p></section>
        """
    }
    return """
      <ul class="rows certificates">\(each: entries.enumerated(), { row($0, $1) })</ul>
      """
  }

  /// Beside the heading.
  var actions: HTML {
    let print: HTML? =
      entries.contains { !$0.kind.isEmpty }
      ? """
      <a class="button secondary" href="/vaccination-qr/print">\(context.text("print.all"))</a>
      """ : nil
    return """
      <p class="actions"><a class="button secondary" href="/vaccination-qr/record">\
      \(context.text("record.link"))</a> \(print)</p>
      """
  }

  private func row(_ place: Int, _ entry: Certificate.Entry) -> HTML {
    let holder: HTML? = entry.holder.isEmpty ? nil : " · <bdi>\(entry.holder)</bdi>"
    let kind: Text = entry.kind.isEmpty ? "kind.none" : Text("kind.\(entry.kind)")
    return """
      <li><a class="certificate" href="/vaccination-qr/\(entry.id)">\(picture(entry))\
      <span><strong><bdi>\(CertificateViews.name(entry.label, context))</bdi></strong>\
      <span class="secondary-text">\(context.text(kind))\(holder)</span></span></a>\
      <span class="actions">\(show(entry))\(moves(place, entry))</span></li>
      """
  }

  private func picture(_ entry: Certificate.Entry) -> HTML {
    if entry.pages == 0 { return context.icon(.document) }
    return """
      <img src="/vaccination-qr/\(entry.id)/thumbnail" alt="" width="64" height="64" loading="lazy">
      """
  }

  private func show(_ entry: Certificate.Entry) -> HTML {
    """
    <a class="button small" href="/vaccination-qr/\(entry.id)/show">\(context.text("show.button"))</a>
    """
  }

  /// The first cannot be moved, and the second only to the first place.
  private func moves(_ place: Int, _ entry: Certificate.Entry) -> HTML? {
    func button(_ text: Text, _ address: Path) -> HTML {
      context.button(text, posts: address, style: "button secondary small")
    }
    if place == 0 { return nil }
    let first = button("order.first", "/vaccination-qr/\(entry.id)/first")
    return place == 1 ? first : "\(button("order.up", "/vaccination-qr/\(entry.id)/up"))\(first)"
  }
}

enum CertificateViews {
  /// The label; "Certificate" where there is none.
  static func name(_ label: String, _ context: Context) -> String {
    label.isEmpty ? context.text("certificate.unnamed") : label
  }
}
