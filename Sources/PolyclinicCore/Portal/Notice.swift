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
  public package(set) var text: Text
  /// The text that names one of the person's records, in place of ``text``; nil for none.
  public var recordText: RecordText?
  /// The path to which the notification links; a relative path belongs to the module.
  public let path: Path
  /// The module's name for the thing that the notification is about, such as an appointment's
  /// number; nil for none.
  ///
  /// A later notification of the module about the same subject makes a person's earlier ones out of
  /// date: they count as read.
  public let subject: String?
  /// The module's idempotency key: a person receives notifications with the same key at most once
  /// within two years.
  ///
  /// This also holds if several processes send it. Nil for a notification that may be repeated.
  public var once: String?
  /// The content of the e-mail; nil for an e-mail that only says that a notification waits in the
  /// portal.
  public var mail: Mail?
  /// The time after which the notification is out of date, such as the time of a reminder's
  /// appointment: no message is sent any more, and in the inbox it counts as read.
  public var expires: Instant?
  /// The words for the visitor, if the notification is about a change by the visitor: the visitor's
  /// own inbox keeps it as read. Others, such as the person for whom the visitor acts, get it as
  /// usual. Nil for a change by nobody or by staff.
  public var confirmation: Confirmation?

  /// Creates a notification; without `mail`, its e-mail only says that it waits in the inbox.
  public init(
    _ kind: Notice.Kind, _ text: Text, leadingTo path: Path, subject: String? = nil,
    once: String? = nil, mail: Mail? = nil, expires: Instant? = nil
  ) {
    self.kind = kind
    self.text = text
    self.path = path
    self.subject = subject
    self.once = once
    self.mail = mail
    self.expires = expires
  }

  /// The confirmation of a change to the visitor who has made it.
  public struct Confirmation: Sendable {
    /// The kind, one of the module's ``Module/noticeKinds``.
    public let kind: Notice.Kind
    /// The text in the inbox, one sentence.
    public let text: Text
    /// The content of the e-mail.
    public let mail: Mail?

    /// Creates a confirmation.
    public init(_ kind: Notice.Kind, _ text: Text, mail: Mail?) {
      self.kind = kind
      self.text = text
      self.mail = mail
    }
  }

  /// A sentence about one of the person's records. The portal opens the record when it stores the
  /// notification, because a job has no keys; the inbox keeps the sentence sealed.
  public struct RecordText: Sendable {
    /// Returns the sentence by the keys of the person; nil if there is no such record.
    package let read: @Sendable (Work) throws -> Text?

    package init(_ read: @escaping @Sendable (Work) throws -> Text?) { self.read = read }
  }

  /// The content of an e-mail, without a diagnosis or a purpose, because bystanders may read it on
  /// the screen.
  public struct Mail: Sendable {
    /// The subject, which is visible on locked screens.
    public let subject: Text
    /// The body, one paragraph; the portal adds the link.
    public let body: Text
    /// The event for the reader's calendar; nil for none.
    public var event: Event?

    /// Creates an e-mail's content, with or without an event.
    public init(subject: Text, body: Text, event: Event? = nil) {
      self.subject = subject
      self.body = body
      self.event = event
    }
  }

  /// An event that an e-mail puts into the reader's calendar, moves there or removes (iMIP, RFC
  /// 6047). It says no more than the e-mail does.
  public struct Event: Sendable {
    /// The globally unique and permanent identifier, the same as in the module's calendar files.
    public let id: String
    /// The time from beginning to end.
    public let span: Range<Instant>
    /// The title, which bystanders can read on the screen.
    public let summary: Text
    /// The number of changes so far: calendars keep the event with the highest number.
    public let sequence: Int
    /// True if the event does not take place, so that calendars remove it.
    public var isCancelled = false
    /// The times before the event at which the calendar reminds the reader.
    public var reminders: [Seconds] = []

    /// Creates an event that takes place, without reminders.
    public init(id: String, _ span: Range<Instant>, summary: Text, sequence: Int) {
      self.id = id
      self.span = span
      self.summary = summary
      self.sequence = sequence
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
      /// By one line to the telephone, if the number is confirmed; it only says that a notification
      /// waits.
      case telephone
    }

    /// Creates a kind that is delivered by `ways` to people who have chosen none. A telephone is
    /// used only by those who have chosen it.
    public init(_ name: StaticString, _ title: Text, ways: Set<Way> = [.browser, .email]) {
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
