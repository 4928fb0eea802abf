import PolyclinicCore
import PolyclinicDocuments

/// The pages and the API of certificates.
enum CertificatePages {
  static var routes: [Route] {
    [
      .get("print", printCards),
      .get("{id}", details),
      .get("{id}/show", show),
      .get("{id}/image") { try picture(.page(number($0)), $0) },
      .get("{id}/thumbnail") { try picture(.thumbnail(number($0)), $0) },
      .get("{id}/qr.png") { try picture(.drawing(number($0)), $0) },
      .get("{id}/qr.svg", drawing),
      .post("{id}/first", save: moveFirst), .post("{id}/up", save: moveUp),
      .form(
        "{id}/edit", LabelForm.form, title: "edit.title", cancel: "{id}",
        load: { LabelForm(label: try Certificate.records.load($0).label) }, save: rename),
      .delete("{id}/clear", Certificate.records, cancel: "{id}"),
    ]
  }

  /// Returns the number of the page or code in the query, from 1.
  private static func number(_ context: Context) throws -> Int {
    let typed = context.request.query["number"]
    if typed.isEmpty { return 1 }
    guard let number = Int(typed), (1...100).contains(number) else { throw Refusal.notFound }
    return number
  }

  private static func file(_ file: CertificateFile, _ context: Context) throws -> [UInt8] {
    try Certificate.file(file, of: context.id(), in: context)
  }

  /// Returns a picture to display, or to download if the query has `save`.
  private static func picture(_ asked: CertificateFile, _ context: Context) throws -> Response {
    let picture = try Picture(file(asked, context))
    if context.request.query.contains("save") {
      return .download(picture.bytes, type: picture.type, as: "certificate.\(picture.suffix)")
    }
    return Response(200, .bytes(picture.bytes, type: picture.type))
  }

  private static func drawing(_ context: Context) throws -> Response {
    let grid = try ModuleGrid(file(.grid(number(context)), context))
    let svg = grid.svg(label: context.text("code.label")).bytes
    if context.request.query.contains("save") {
      return .download(svg, type: "image/svg+xml", as: "certificate.svg")
    }
    return Response(200, .bytes(svg, type: "image/svg+xml"))
  }

  private static func rename(
    _ form: LabelForm, _ context: Context
  ) throws -> Path {
    let id: ID<Certificate> = try context.id()
    try Certificate.rename(id, to: form.label, in: context)
    return "\(id)"
  }

  /// Moves a certificate before all others.
  private static func moveFirst(_ context: Context) throws -> Path {
    try move(context) { _ in 0 }
  }

  /// Swaps a certificate with the one before it.
  private static func moveUp(_ context: Context) throws -> Path {
    try move(context) { max($0 - 1, 0) }
  }

  /// Moves a certificate and renumbers the person's certificates. `target` returns its new index
  /// for its present one.
  private static func move(
    _ context: Context, to target: (Int) -> Int
  ) throws -> Path {
    let id: ID<Certificate> = try context.id()
    var entries = try Certificate.entries(in: context)
    guard let index = entries.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
    entries.insert(entries.remove(at: index), at: target(index))
    for (place, entry) in zip(1..., entries) where entry.place != place {
      try Certificate.move(entry.id, to: place, in: context)
    }
    return ""
  }
}

/// The form for a certificate's label, the only property that the user can change.
private struct LabelForm: Sendable {
  var label = ""

  static let form = Form(
    LabelForm(),
    .text(
      \.label, "label", limit: Certificate.labelLimit, autocomplete: "off",
      hint: "field.label.hint"))
}
