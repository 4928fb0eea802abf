import Foundation
import PolyclinicCore
import PolyclinicDocuments

/// A certificate in the JSON API: a label and the text of its code, from which the portal redraws
/// the code.
struct SentCertificate: Sendable {
  var label = ""
  /// The text of the first code.
  var payload = ""

  static let form = Form(
    SentCertificate(),
    .text(\.label, "label", limit: Certificate.labelLimit),
    .text(\.payload, "payload", limit: Code.limit))
}

extension SentCertificate {
  static var resource: Resource {
    Resource(
      called: "Certificate",
      about: .init(
        """
        Certificates by the text of their codes. A new one takes the text of a code, which is drawn anew; \
        pictures are sent on the portal's pages. Only the label of a certificate can be changed.
        """),
      form: form, rest: answeredBesides,
      .init(
        list: { after, limit, context in
          try found(Certificate.records.page(after: after, limit: limit, in: context), context)
        },
        find: { number, context in
          try Certificate.records.find(ID(number), in: context).flatMap {
            try found([(ID(number), $0)], context).first
          }
        },
        create: { sent, context in
          if sent.payload.isEmpty { throw Refusal.invalid("payload", "error.required") }
          let code = try context.drawing(of: Array(sent.payload.utf8), in: "payload")
          return try NewCertificate(label: sent.label, codes: [code]).insert(in: context).rawValue
        },
        replace: { sent, found, context in
          guard sent.payload.isIdentical(to: found.draft.payload) else {
            throw Refusal.invalid("payload", "error.payload-kept")
          }
          guard let stored = try Certificate.records.find(ID(found.id), in: context) else {
            throw Refusal.notFound
          }
          try stored.rename(ID(found.id), to: sent.label, in: context)
        },
        delete: { found, context in try Certificate.records.delete(ID(found.id), in: context) }))
  }

  static var picture: Resource.ReadOnly {
    Resource.ReadOnly(
      "{id}/image", of: "CertificateImage",
      about: "The first page of a certificate as a picture, in Base64.",
      schema: [
        "type": "object", "required": ["contentType", "data"],
        "properties": [
          "contentType": ["type": "string", "enum": ["image/png", "image/jpeg"]],
          "data": ["type": "string", "contentEncoding": "base64"],
        ],
      ],
      .value { context in
        let bytes = try CertificateFile.page(1).bytes(of: context.id(), in: context)
        return [
          "contentType": .string(try Picture(bytes).type.description),
          "data": .string(Data(bytes).base64EncodedString()),
        ]
      })
  }

  private static let answeredBesides: [JSON.Member] = [
    JSON.Member("pages", ["type": "integer", "title": "The number of its pages."]),
    JSON.Member(
      "codes",
      [
        "type": "array", "title": "All its codes, with what they say.",
        "items": [
          "type": "object", "required": ["kind", "payload", "statements"],
          "properties": [
            "kind": ["type": "string"], "payload": ["type": "string"],
            "statements": ["type": "array", "items": ["type": "object"]],
            "trust": ["type": "object"],
          ],
        ],
      ]),
  ]

  private static func found(
    _ certificates: [(id: ID<Certificate>, record: Certificate)], _ context: Context
  ) throws -> [Resource.Found<SentCertificate>] {
    let payloads = try Certificate.storedCodes(of: certificates, in: context)
      .map { $0.map(\.payload) }
    var statements = try CodeStatements.all(of: payloads.flatMap(\.self), context)[...]
    return zip(certificates, payloads).map { stored, codes in
      let (id, certificate) = stored
      defer { statements.removeFirst(codes.count) }
      let text = codes.first.map { String(decoding: $0, as: UTF8.self) }
      return Resource.Found(
        id.rawValue, SentCertificate(label: certificate.label, payload: text ?? ""),
        rest: [
          .init("pages", .integer(Int64(certificate.pages ?? 0))),
          .init("codes", .array(statements.prefix(codes.count).map(\.json))),
        ])
    }
  }
}
