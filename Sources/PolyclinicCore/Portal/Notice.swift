/// A notification for one person, shown in the inbox and sent by the ways that the person has
/// chosen for its kind.
///
/// `portal.notify(person, Notice(.reminder, "reminder.text", leadingTo: "\(id)"), in: work)`.
/// Its texts come from the sending module's catalog and are shown in the reader's language. Times,
/// days and names in them are therefore passed as ``Text/Value``.
public struct Notice: Sendable {
  /// The notification's kind, one of the module's ``Module/noticeKinds``.
  public let kind: Notice.Kind
  /// The text in the inbox, one sentence.
  public let text: Text
  /// The path to which the notification links; a relative path belongs to the module.
  public let path: Path
  /// The module's idempotency key: a person receives notifications with the same key at most once
  /// within two years.
  ///
  /// This also holds if several processes send it. Nil for a notification that may be repeated.
  public var once: String?
  /// The content of the e-mail; nil for an e-mail that only says that a notification waits in the
  /// portal.
  public var mail: Mail?
  /// The time after which no e-mail is sent, such as the time of a reminder's appointment.
  public var expires: Instant?

  /// Creates a notification; without `mail`, its e-mail only says that it waits in the inbox.
  public init(
    _ kind: Notice.Kind, _ text: Text, leadingTo path: Path, once: String? = nil,
    mail: Mail? = nil, expires: Instant? = nil
  ) {
    self.kind = kind
    self.text = text
    self.path = path
    self.once = once
    self.mail = mail
    self.expires = expires
  }

  /// The content of an e-mail, without a diagnosis or a purpose, because bystanders may read it on
  /// the screen.
  public struct Mail: Sendable {
    /// The subject, which is visible on locked screens.
    public let subject: Text
    /// The body, one paragraph; the portal adds the link.
    public let body: Text
    /// The attached file; nil for none.
    public var attachment: Attachment?

    /// Creates an e-mail's content, with or without a file.
    public init(subject: Text, body: Text, attachment: Attachment? = nil) {
      self.subject = subject
      self.body = body
      self.attachment = attachment
    }
  }

  /// A file attached to an e-mail, such as an appointment for the reader's calendar.
  public struct Attachment: Sendable {
    /// The file's name in ASCII, such as `appointment.ics`; a literal in the source code.
    public let name: StaticString
    /// The media type (RFC 2045, 5.1), such as `text/calendar; charset=utf-8`; a literal in the
    /// source code.
    public let mediaType: StaticString
    /// The file's content.
    public let bytes: [UInt8]

    /// Creates a file with this name and type.
    public init(_ name: StaticString, _ mediaType: StaticString, _ bytes: [UInt8]) {
      self.name = name
      self.mediaType = mediaType
      self.bytes = bytes
    }
  }
}

extension Notice {
  /// A kind of ``Notice``, for which people choose the ways of delivery.
  public struct Kind: Sendable {
    /// The kind's name: lower-case words joined by hyphens, unique within the module, and
    /// permanent.
    public let name: String
    /// The kind's title on the page of preferences.
    public let title: Text
    /// The ways of delivery for people who have chosen none.
    public let ways: Set<Way>

    /// A way of delivery besides the inbox, which receives every notification.
    public enum Way: String, Sendable, CaseIterable {
      /// By a browser notification while a page of the portal is open; it never reveals the
      /// notification's subject.
      case browser
      /// By e-mail, if the address is confirmed.
      case email
    }

    /// Creates a kind that is delivered by `ways` to people who have chosen none.
    public init(_ name: StaticString, _ title: Text, ways: Set<Way> = Set(Way.allCases)) {
      self.name = name.description
      self.title = title
      self.ways = ways
    }
  }
}

/// A store of notifications; the server has one for each module.
package protocol NoticeBoard: Sendable {
  /// True if notifications are also sent by e-mail.
  var sendsMail: Bool { get }

  /// Stores and delivers a notification; see ``Portal/notify(_:_:in:)``.
  func post(_ notice: Notice, to person: ID<Person>, in work: Work) throws
}

/// An error: a module sent a notification of a kind that it does not declare.
package struct UnlistedNoticeKind: Error, Sendable, CustomStringConvertible {
  /// The name of the kind.
  package let name: String

  /// Creates an error that names the kind.
  package init(name: String) { self.name = name }

  /// A sentence for the module's author.
  package var description: String { "no kind of notices \"\(name)\" is listed" }
}
