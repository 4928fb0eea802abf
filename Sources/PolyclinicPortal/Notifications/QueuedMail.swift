import PolyclinicCore
import PolyclinicWeb

/// An e-mail in the queue, sealed with its reader's key.
struct QueuedMail {
  /// The part of the Message-ID before the `@`.
  var id: String
  /// The recipient; empty for the address that the person has confirmed by the time of sending.
  var recipient = ""
  var subject: Text
  var body: Text
  /// The path of the link in the e-mail.
  var path: Path
  var attachment: MailMessage.Attachment?

  private static let name: StaticString = "notifications_mail.sealed"

}

extension QueuedMail {
  /// Creates an e-mail of this module to an address, in the words `mail.…` of the kind.
  init(_ kind: String, to address: MailAddress, _ values: [String: String], leadingTo path: Path) {
    let module = NotificationsModule.moduleID
    self.init(
      id: [UInt8].random(16).hexadecimalText, recipient: address.text,
      subject: Text("mail.\(kind).subject", values).spoken(by: module),
      body: Text("mail.\(kind).body", values).spoken(by: module), path: path)
  }

  init(opening sealed: Sealed, id row: ID<QueuedMail>, by keys: Keys) throws {
    var bytes = ByteReader(try keys.open(sealed, as: Self.name, row: row.rawValue))
    id = try bytes.string()
    recipient = try bytes.string()
    subject = try bytes.text()
    body = try bytes.text()
    path = Path(local: try bytes.string()) ?? InboxPage.path
    let name = try bytes.string()
    let mediaType = try bytes.string()
    let content = Array(try bytes.bytes())
    attachment = name.isEmpty ? nil : .init(name: name, mediaType: mediaType, bytes: content)
  }

  /// Adds the e-mail to the queue.
  func insert(expires: Instant?, in work: Work) throws {
    let keys = try work.keys
    let row: ID<QueuedMail> = try work.insert(
      """
      INSERT INTO notifications_mail (person, sealed, attempts, due_at, expires_at)
      VALUES (\(keys.person), \([UInt8]()), 0, \(work.now), \(expires))
      """)
    let sealed = try keys.seal(encoded, as: Self.name, row: row.rawValue)
    try work.run("UPDATE notifications_mail SET sealed = \(sealed) WHERE id_mail = \(row)")
  }

  private var encoded: [UInt8] {
    var bytes = ByteWriter()
    bytes.write(id)
    bytes.write(recipient)
    bytes.write(subject)
    bytes.write(body)
    bytes.write(path.description)
    bytes.write(attachment?.name ?? "")
    bytes.write(attachment?.mediaType ?? "")
    bytes.write(attachment?.bytes ?? [])
    return bytes.bytes
  }
}
