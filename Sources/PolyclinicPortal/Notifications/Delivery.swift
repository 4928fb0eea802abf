import PolyclinicCore
import PolyclinicFormats
import PolyclinicSystem
import PolyclinicWeb

/// A configured way of sending messages to people.
package protocol Delivery: Sendable {
  /// The messages in the outbox.
  associatedtype Message: QueuedMessage

  var command: DeliveryCommand { get set }

  /// Queues the messages that requests have only asked for.
  func prepare(_ server: ServerContext, at now: Instant) throws

  /// Returns the bytes for the command, in the reader's language; nil if the person has no confirmed
  /// recipient any more.
  func message(_ queued: Message, in words: MessageWords, _ work: Work) throws -> [UInt8]?
}

extension Delivery {
  package var way: Notice.Kind.Way { Message.way }
  package func prepare(_ server: ServerContext, at now: Instant) throws {}
}

/// The settings for sending e-mails, from the configuration.
package struct OutgoingMail: Delivery {
  package var command: DeliveryCommand
  package let from: Mailbox

  /// Returns nil if the command is malformed or `sender` is no mailbox.
  package init?(command: String, from sender: String) {
    guard let command = DeliveryCommand(command), let from = Mailbox(sender) else { return nil }
    self.command = command
    self.from = from
  }

  package func prepare(_ server: ServerContext, at now: Instant) throws {
    try ForgottenPassword(server: server).answerAll(at: now)
  }

  package func message(
    _ queued: QueuedMail, in words: MessageWords, _ work: Work
  ) throws -> [UInt8]? {
    let address =
      queued.recipient.isEmpty
      ? try MailAddressState(of: work.keys, words.server, on: work).confirmed
      : MailAddress(queued.recipient)
    guard let address else { return nil }
    return MailMessage(
      from: from, to: address, subject: words.text(queued.subject), body: words.body(of: queued),
      invitation: queued.event.flatMap { invitation($0, to: address, in: words) },
      id: "\(queued.id)@\(words.server.site.origin.host)", date: work.now,
      language: words.language
    ).bytes
  }

  /// Returns the event as a request to enter it or to remove it. The sender of the e-mail is its
  /// organizer, because calendars refuse changes by anyone else (RFC 6047, 3).
  private func invitation(
    _ event: Notice.Event, to address: MailAddress, in words: MessageWords
  ) -> CalendarFile? {
    guard let organizer = OutsideLink.mail(from.address.text),
      let attendee = OutsideLink.mail(address.text)
    else { return nil }
    var written = CalendarEvent(id: event.id, event.span, summary: words.text(event.summary))
    written.sequence = event.sequence
    written.status = event.isCancelled ? .cancelled : .confirmed
    written.reminders = event.reminders
    let name = from.name.isEmpty ? words.server.site.clinic.name : from.name
    written.invitation = .init(from: organizer, named: name, to: attendee)
    var file = CalendarFile([written])
    file.method = event.isCancelled ? .cancel : .request
    return file
  }
}

/// The settings for lines to telephones, from the configuration.
package struct OutgoingLines: Delivery {
  package var command: DeliveryCommand

  /// Returns nil if the command is malformed.
  package init?(command: String) {
    guard let command = DeliveryCommand(command) else { return nil }
    self.command = command
  }

  /// Returns two lines: the number and the text.
  package func message(
    _ queued: QueuedLine, in words: MessageWords, _ work: Work
  ) throws -> [UInt8]? {
    let number =
      queued.recipient.isEmpty
      ? try NumberState(of: work.keys, words.server, on: work).confirmed
      : NoticeNumber(queued.recipient)
    return number.map { Array("\($0.text)\n\(words.line(queued))\n".utf8) }
  }
}

/// The text of messages in the reader's language.
package struct MessageWords {
  let server: ServerContext
  let language: Language

  func text(_ text: Text) -> String {
    server.installation.wording(of: text, in: language) ?? own("mail.notice.subject")
  }

  /// Returns the module's text, a link and the footer. A link has a line of its own, because
  /// bidirectional marks around it would become part of it.
  func body(of queued: QueuedMail) -> String {
    var lines = [text(queued.body), ""]
    if queued.recipient.isEmpty {
      lines += [own("mail.read-on"), address(queued.path), ""]
      if let event = queued.event, !event.isCancelled { lines += [own("mail.event"), ""] }
      lines += ["-- ", server.site.clinic.name, own("mail.replies")]
      lines += [own("mail.why"), address(PreferencesPage.path)]
    } else {
      lines += [address(queued.path), "", "-- ", server.site.clinic.name, own("mail.replies")]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a line of text for a telephone. Shortens the clinic's name if the line then takes one
  /// short message.
  func line(_ queued: QueuedLine) -> String {
    let name = server.site.clinic.name
    let whole = line(queued, naming: name)
    if ShortMessage.fits(whole) { return whole }
    // A shorter name says nothing to its reader.
    for length in stride(from: name.count - 1, through: 4, by: -1) {
      var short = name.prefix(length)
      while short.last?.isWhitespace == true { short.removeLast() }
      let line = line(queued, naming: String(short))
      if ShortMessage.fits(line) { return line }
    }
    return whole
  }

  private func line(_ queued: QueuedLine, naming clinic: String) -> String {
    ShortMessage.line(
      own(
        Text(
          "line.\(queued.kind)",
          ["clinic": clinic, "code": queued.code, "address": address(InboxPage.path)])))
  }

  private func address(_ path: Path) -> String { "\(server.site.origin)\(path)" }

  private func own(_ text: Text) -> String {
    server.installation.wording(of: text.spoken(by: NotificationsModule.moduleID), in: language)
      ?? ""
  }
}

/// The limits of a short message (3GPP TS 23.038 and 23.040).
enum ShortMessage {
  /// Returns the text as one line without direction controls, which would become part of a link and
  /// take the place of letters.
  static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F: continue
      case 0..<0x20, 0x7F..<0xA1, 0x2028, 0x2029: line.append(" ")
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// True if the text takes one message: 160 characters of the alphabet of GSM, or 70 UTF-16 units.
  static func fits(_ text: String) -> Bool {
    var septets = 0
    for scalar in text.unicodeScalars {
      if alphabet.contains(scalar) {
        septets += 1
      } else if extended.contains(scalar) {
        septets += 2
      } else {
        return text.utf16.count <= 70
      }
    }
    return septets <= 160
  }

  /// The default alphabet (3GPP TS 23.038, 6.2.1).
  private static let alphabet = Set(
    """
    @£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ\
    ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
    """.unicodeScalars)
  /// The characters behind an escape, which count twice (6.2.1.1).
  private static let extended = Set("^{}\\[~]|€".unicodeScalars)
}
