/// Something that a person is told: it stands in the person's inbox, and comes by the ways that the
/// person has chosen for its kind.
///
/// `portal.notify(person, Notice(.reminder, "reminder.text", leadingTo: "\(id)"), on: connection)`.
/// Its texts are the sending module's, and are said in the language of whoever reads them: times,
/// days and names go into them as ``Text/Value``.
public struct Notice: Sendable {
  /// One of the module's ``Module/noticeKinds``.
  public let kind: NoticeKind
  /// What the inbox says: one sentence.
  public let text: Text
  /// Where it leads; a relative path is the module's own.
  public let path: Path
  /// The module's key for it: notices with the same key are told to a person at most once within
  /// two years, however many processes try. Nil for what may be told again.
  public var once: String?
  /// What an e-mail says. Nil for an e-mail that says only that something waits in the portal.
  public var mail: Mail?
  /// When nobody needs to be told by e-mail any more, such as the moment that it reminds of.
  public var expires: Instant?

  /// A notice that stands in the inbox, and by e-mail says no more than that it does.
  public init(
    _ kind: NoticeKind, _ text: Text, leadingTo path: Path, once: String? = nil,
    mail: Mail? = nil, expires: Instant? = nil
  ) {
    self.kind = kind
    self.text = text
    self.path = path
    self.once = once
    self.mail = mail
    self.expires = expires
  }

  /// What an e-mail says of it: no diagnosis and no purpose, since anybody at the screen may read it.
  public struct Mail: Sendable {
    /// The subject, which stands on locked screens.
    public let subject: Text
    /// One paragraph; the portal adds where to read on.
    public let body: Text
    /// A file that goes along.
    public var attachment: Attachment?

    /// Words for an e-mail, with or without a file.
    public init(subject: Text, body: Text, attachment: Attachment? = nil) {
      self.subject = subject
      self.body = body
      self.attachment = attachment
    }
  }

  /// A file that goes along with an e-mail, such as an appointment for the reader's calendar.
  public struct Attachment: Sendable {
    /// Its name in ASCII, such as `appointment.ics`; it stands in the source.
    public let name: StaticString
    /// Its media type (RFC 2045, 5.1), such as `text/calendar; charset=utf-8`; it stands in the source.
    public let mediaType: StaticString
    /// Its content.
    public let bytes: [UInt8]

    /// A file of this name and type.
    public init(_ name: StaticString, _ mediaType: StaticString, _ bytes: [UInt8]) {
      self.name = name
      self.mediaType = mediaType
      self.bytes = bytes
    }
  }
}

/// A kind of ``Notice``, for which people choose by which ways they are told.
public struct NoticeKind: Sendable {
  /// Unique within the module, and never changed; lower-case words joined by hyphens.
  public let name: String
  /// What the page of choices calls it.
  public let title: Text
  /// How it reaches those who have chosen nothing.
  public let ways: Set<Way>

  /// A way of telling besides the inbox, in which every notice stands.
  public enum Way: String, Sendable, CaseIterable {
    /// By the browser, while a page of the portal is open; it never says what the notice is about.
    case browser
    /// By e-mail, where the address is confirmed.
    case email
  }

  /// A kind that comes by `ways` where nothing was chosen.
  public init(_ name: StaticString, _ title: Text, ways: Set<Way> = Set(Way.allCases)) {
    self.name = name.description
    self.title = title
    self.ways = ways
  }
}

/// Keeps notices for people; the server has one for each module.
public protocol NoticeBoard: Sendable {
  /// See ``Portal/notify(_:_:on:)``.
  func post(
    _ notice: Notice, to person: ID<Person>, at now: Instant, on connection: Connection) throws
}

/// A module sent a notice of a kind that it does not list.
public struct UnlistedNoticeKind: Error, Sendable, CustomStringConvertible {
  /// What the kind is called.
  public let name: String

  /// Names the kind.
  public init(name: String) { self.name = name }

  /// A sentence for the module's author.
  public var description: String { "no kind of notices \"\(name)\" is listed" }
}
