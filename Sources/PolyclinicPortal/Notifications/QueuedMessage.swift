import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// A message in the outbox, sealed with its reader's key.
package protocol QueuedMessage: Sendable {
  /// The way by which the message goes out.
  static var way: Notice.Kind.Way { get }

  init(reading bytes: inout ByteReader) throws
  func write(to bytes: inout ByteWriter)
}

extension QueuedMessage {
  private static var name: StaticString { "notifications_outbox.sealed" }

  /// Throws `UnsealingError` or ``DecodingFailure`` if the message is of another row, person or way.
  init(opening sealed: Sealed, row: ID<Outbox>, by keys: Keys) throws {
    var bytes = ByteReader(try keys.open(sealed, as: Self.name, row: row.rawValue))
    guard try bytes.string() == Self.way.rawValue else { throw DecodingFailure() }
    try self.init(reading: &bytes)
  }

  /// Adds the message to the outbox. It goes out only as long as its reader acts for `inCare`, the
  /// person whom it is about, if that is not the reader.
  func insert(about inCare: ID<Person>? = nil, expires: Instant?, in work: Work) throws {
    let keys = try work.keys
    let row: ID<Outbox> = try work.insert(
      """
      INSERT INTO notifications_outbox (person, about, way, sealed, attempts, due_at, expires_at)
      VALUES (\(keys.person), \(inCare ?? keys.person), \(Self.way.rawValue), \([UInt8]()), 0,
        \(work.now), \(expires))
      """)
    var bytes = ByteWriter()
    bytes.write(Self.way.rawValue)
    write(to: &bytes)
    let sealed = try keys.seal(bytes.bytes, as: Self.name, row: row.rawValue)
    try work.run("UPDATE notifications_outbox SET sealed = \(sealed) WHERE id_message = \(row)")
  }
}

/// An e-mail in the outbox.
package struct QueuedMail: QueuedMessage {
  package static let way = Notice.Kind.Way.email

  /// The part of the Message-ID before the `@`.
  var id: String
  /// The recipient; empty for the address that the person has confirmed by the time of sending.
  var recipient = ""
  var subject: Text
  var body: Text
  /// The path of the link in the e-mail.
  var path: Path
  var event: Notice.Event?
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

  package init(reading bytes: inout ByteReader) throws {
    id = try bytes.string()
    recipient = try bytes.string()
    subject = try bytes.text()
    body = try bytes.text()
    path = Path(local: try bytes.string()) ?? InboxPage.path
    event = try bytes.byte() == 0 ? nil : Notice.Event(reading: &bytes)
  }

  package func write(to bytes: inout ByteWriter) {
    bytes.write(id)
    bytes.write(recipient)
    bytes.write(subject)
    bytes.write(body)
    bytes.write(path.description)
    bytes.write(UInt8(event == nil ? 0 : 1))
    event?.write(to: &bytes)
  }
}

extension Notice.Event {
  fileprivate init(reading bytes: inout ByteReader) throws {
    let id = try bytes.string()
    let (begin, end) = (Instant(try bytes.integer()), Instant(try bytes.integer()))
    guard begin <= end else { throw DecodingFailure() }
    let summary = try bytes.text()
    self.init(
      id: id, begin..<end, summary: summary, sequence: Int(try bytes.integer()))
    isCancelled = try bytes.byte() != 0
    for _ in 0..<(try bytes.count()) { reminders.append(.seconds(Int(try bytes.integer()))) }
  }

  fileprivate func write(to bytes: inout ByteWriter) {
    bytes.write(id)
    bytes.write(span.lowerBound.seconds)
    bytes.write(span.upperBound.seconds)
    bytes.write(summary)
    bytes.write(Int64(sequence))
    bytes.write(UInt8(isCancelled ? 1 : 0))
    bytes.write(count: reminders.count)
    for reminder in reminders { bytes.write(Int64(reminder.count)) }
  }
}

/// A line to a telephone in the outbox, in the words `line.…` of this module.
package struct QueuedLine: QueuedMessage {
  package static let way = Notice.Kind.Way.telephone

  /// The kind of the line: `notice`, `code` or `test`.
  var kind: String
  /// The recipient; empty for the number that the person has confirmed by the time of sending.
  var recipient = ""
  /// The code that confirms a number; empty in other lines.
  var code = ""
}

extension QueuedLine {
  package init(reading bytes: inout ByteReader) throws {
    kind = try bytes.string()
    recipient = try bytes.string()
    code = try bytes.string()
  }

  package func write(to bytes: inout ByteWriter) {
    bytes.write(kind)
    bytes.write(recipient)
    bytes.write(code)
  }
}
