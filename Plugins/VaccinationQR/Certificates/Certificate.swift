import PolyclinicCore

/// A picture or PDF of a certificate, with the codes that were found in it.
struct Certificate: Resealable, Equatable {
  /// The name that its owner gave it, such as "Mother".
  var label = ""
  /// The place in the owner's order, the lowest first.
  var place: Int? = 0
  /// The number of its pages.
  var pages: Int? = 0
  /// The number of codes that were found on them.
  var codes: Int? = 0
  /// The kind of the first code, as ``Code/kind``; empty without one.
  var kind = ""
  /// The name of the person whom the first code is about, as it says; empty where it says none.
  var holder = ""
  var unknown = UnknownFields()

  static func == (one: Certificate, other: Certificate) -> Bool {
    (one.label, one.place, one.pages, one.codes, one.kind, one.holder)
      == (other.label, other.place, other.pages, other.codes, other.kind, other.holder)
  }
}

extension Certificate {
  static let labelLimit = 100

  private static let form = Form(
    Certificate(),
    .text(\.label, "label", limit: labelLimit),
    .integer(\.place, "place", in: -1_000_000_000...1_000_000_000),
    .integer(\.pages, "pages", in: 0...100), .integer(\.codes, "codes", in: 0...100),
    .text(\.kind, "kind"), .text(\.holder, "holder"))

  static let index = SealedIndex<Entry>("vaccination_qr_index")

  static let records = Records(
    "vaccination_qr_certificates", id: "id_certificate",
    sealed: Slot("vaccination_qr_certificates.sealed", form), index: index, title: \.label,
    entry: Entry.init(_:id:)
  ).named("certificate", by: \.name)

  static let files = Attachments<Certificate>(
    "vaccination_qr_files", of: "vaccination_qr_certificates", id: "id_certificate")

  static let migration = Migration("0001-certificates", records.schema + files.schema)

  /// The label; a word for one that has none.
  var name: Text {
    label.isEmpty ? "certificate.unnamed" : Text("certificate.name", ["label": label])
  }

  /// The part of a certificate that the list and the dashboard read.
  struct Entry: SealedEntry {
    let id: ID<Certificate>
    let place: Int
    let label: String
    let pages: Int
    let kind: String
    let holder: String

    init(_ certificate: Certificate, id: ID<Certificate>) {
      self.id = id
      place = certificate.place ?? 0
      label = certificate.label
      pages = certificate.pages ?? 0
      kind = certificate.kind
      holder = certificate.holder
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      place = Int(try bytes.integer())
      label = try bytes.string()
      pages = try bytes.count()
      kind = try bytes.string()
      holder = try bytes.string()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      bytes.write(Int64(place))
      bytes.write(label)
      bytes.write(count: pages)
      bytes.write(kind)
      bytes.write(holder)
    }

    /// In their owner's order.
    static func < (one: Entry, other: Entry) -> Bool {
      (one.place, one.id) < (other.place, other.id)
    }
  }
}
