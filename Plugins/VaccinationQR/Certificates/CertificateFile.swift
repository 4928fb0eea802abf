import PolyclinicCore
import PolyclinicDocuments

/// A file of a certificate, with its name in storage.
enum CertificateFile {
  /// The picture of a page, from 1.
  case page(Int)
  /// A small picture of a page.
  case thumbnail(Int)
  /// The bytes of a code, from 1 in the order of the pages.
  case payload(Int)
  /// The modules of a redrawn code.
  case grid(Int)
  /// A redrawn code as a picture.
  case drawing(Int)

  var name: String {
    switch self {
    case .page(let number): "page-\(number)"
    case .thumbnail(let number): "thumbnail-\(number)"
    case .payload(let number): "payload-\(number)"
    case .grid(let number): "grid-\(number)"
    case .drawing(let number): "drawing-\(number)"
    }
  }

  /// Returns the file of a person's certificate. Throws ``Refusal/notFound`` if there is none.
  func bytes(of id: ID<Certificate>, in work: Work) throws -> [UInt8] {
    guard try Certificate.records.find(id, in: work) != nil,
      let bytes = try Certificate.files.find(name, of: id, in: work)
    else { throw Refusal.notFound }
    return bytes
  }
}

/// The pictures that pages show, or offer to save.
extension CertificateFile {
  static let image: Address<ID<Certificate>> = "/vaccination-qr/{id}/image"
  static let preview: Address<ID<Certificate>> = "/vaccination-qr/{id}/thumbnail"
  static let png: Address<ID<Certificate>> = "/vaccination-qr/{id}/qr.png"
  static let svg: Address<ID<Certificate>> = "/vaccination-qr/{id}/qr.svg"

  static var routes: [Route] {
    [
      .get(image.pattern) { try picture(.page(number($0)), $0) },
      .get(preview.pattern) { try picture(.thumbnail(number($0)), $0) },
      .get(png.pattern) { try picture(.drawing(number($0)), $0) },
      .get(svg.pattern) { context in
        let grid = try ModuleGrid(Self.grid(number(context)).bytes(of: context.id(), in: context))
        return context.file(
          grid.svg(label: context.text("code.label")).bytes, "image/svg+xml", "certificate.svg")
      },
    ]
  }

  /// Returns the number of the page or code in the query, from 1.
  private static func number(_ context: Context) throws -> Int {
    let typed = context.request.query["number"]
    if typed.isEmpty { return 1 }
    guard let number = Int(typed), (1...100).contains(number) else { throw Refusal.notFound }
    return number
  }

  private static func picture(_ file: CertificateFile, _ context: Context) throws -> Response {
    let picture = try Picture(file.bytes(of: context.id(), in: context))
    return context.file(picture.bytes, picture.type, "certificate.\(picture.suffix)")
  }
}

extension Context {
  /// Returns a file to display, or to download under its name if the query has `save`.
  fileprivate func file(_ bytes: [UInt8], _ type: StaticString, _ name: String) -> Response {
    request.query.contains("save")
      ? .download(bytes, type: type, as: name) : Response(200, .bytes(bytes, type: type))
  }
}
