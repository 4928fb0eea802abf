extension Portal {
  /// Lookups of the portal's people, for modules that serve others than the visitor.
  ///
  /// Functions must be called in a write transaction, which logs the access. Only functions about
  /// the person of the work, and searches, also run in a read transaction.
  public protocol PeopleDirectory: Sendable {
    /// Returns the name of the person of the work; nil without a profile.
    func name(in work: Work) throws -> String?

    /// Returns the pages on which the reception makes a one-time link after proof at the desk: for
    /// a forgotten password, for a parent of a child without an account, or for an account.
    ///
    /// They are those that the person of the work can need: none for staff, and none for a person
    /// without an account whose birth date is unknown. Each leads back to `origin`.
    func receptionLinks(from origin: Path, in work: Work) throws -> [Portal.ReceptionLink]

    /// Returns the clinic's links for the person of the work that nobody has used yet, the first to
    /// end first: for a parent of a child, and for an account.
    ///
    /// The button that cancels one leads back to `origin`.
    func unusedLinks(from origin: Path, in work: Work) throws -> [Portal.UnusedLink]

    /// Returns the parents and other guardians who act for the child of the work, in the order in
    /// which they began; empty for an adult. For the reception, they include those whom an
    /// administrator has blocked, and the pages that end what its links gave lead back to `origin`.
    ///
    /// Each of them finds an entry in their access log, with the reason of the visitor.
    func guardians(
      for reason: AccessReason, from origin: Path, in work: Work
    ) throws -> [Portal.Guardian]

    /// Returns the records that the person of the work shows the visitor now, the first to end
    /// first.
    ///
    /// It adds no entry to the access log, because the person has named the visitor.
    func recordsShown(in work: Work) throws -> [Portal.ShownRecords]

    /// Returns the telephone number of the person of the work; nil if never given.
    func phone(in work: Work) throws -> String?

    /// Returns the birth date of the person of the work; nil if never given.
    func birthDate(in work: Work) throws -> CalendarDate?

    /// Stores the birth date in the profile of the person of the work, who has given none; does
    /// nothing if it is known or there is no profile. Throws ``Refusal/invalid(_:_:)`` for
    /// `birth_date` if it is in the future or before 1900.
    func complete(birthDate: CalendarDate, in work: Work) throws

    /// Returns the sex in the profile of the person of the work: `female`, `male` or `other`; nil
    /// if never given.
    func sex(in work: Work) throws -> String?

    /// Returns what lists show of several people, each with the work on their data. People without
    /// a profile are left out. Runs few statements for all of them.
    func listed(_ works: [ID<Person>: Work]) throws -> [ID<Person>: Portal.ListedPerson]

    /// Returns the people whom a caller describes: by words of the name, a part of the telephone
    /// number, the birth date, or the whole login or e-mail.
    ///
    /// It reads the name of every person, so call it in a read transaction. It logs no access: call
    /// ``found(_:for:in:)`` for each person in a write transaction before you show anything.
    /// Returns nobody for a query that is too short to identify a person. Throws
    /// ``Refusal/forbidden`` for a visitor without the reason's role.
    func search(
      _ typed: String, for reason: AccessReason, in work: Work
    ) throws -> Portal.FoundPeople

    /// Returns the people whose names differ from the words by slips of the pen, for a search that
    /// finds nobody; nobody if the words are not only names. It reads, logs and throws like
    /// ``search(_:for:in:)``.
    func searchSimilar(
      to typed: String, for reason: AccessReason, in work: Work
    ) throws -> Portal.FoundPeople

    /// Returns the names of those who act for a person whom a search has found, if that is a child:
    /// they tell two files of one name apart. Each of them finds an entry in their access log.
    /// Throws ``Refusal/forbidden`` for a visitor without the reason's role.
    func guardians(
      ofFound person: ID<Person>, for reason: AccessReason, in work: Work
    ) throws -> [String]

    /// Returns the details of a person, and adds an entry to their access log; nil if there is no
    /// such person. Throws ``Refusal/forbidden`` for a visitor without the reason's role, and
    /// ``Refusal/tooMany(retryAfter:)`` for one who has opened too many people within a minute.
    ///
    /// A number in an address is no permission to open its person: seal it with the visitor's keys.
    func found(
      _ person: ID<Person>, for reason: AccessReason, in work: Work
    ) throws -> Portal.FoundPerson?

    /// Returns the person with exactly this login or e-mail; nil if there is none, or if several
    /// share the e-mail.
    ///
    /// The result reveals only that the person exists; the keys must be requested separately.
    /// Throws ``Refusal/forbidden`` for a visitor without the reason's role.
    func find(
      _ loginOrEmail: String, for reason: AccessReason, in work: Work
    ) throws -> ID<Person>?

    /// Creates a person without an account, such as a patient at the reception, and returns the
    /// work on the person's data.
    ///
    /// The creation is recorded in the audit log and in the person's access log.
    ///
    /// Throws ``Refusal/forbidden`` for a visitor without the reason's role. Throws
    /// ``Refusal/invalid(_:_:)`` for `name` if it is blank, and for `birth_date` if it is in the
    /// future.
    func enter(
      _ newcomer: Portal.Newcomer, for reason: AccessReason, in work: Work
    ) throws -> Work

    /// Returns the details of a person without an account, for the form that corrects them. Returns
    /// nil for a person with an account, and for a person whose data the visitor may not open for
    /// this reason.
    ///
    /// It logs no access and also works in a read transaction: call ``found(_:for:in:)`` in a write
    /// transaction before you show anything. Throws ``Refusal/forbidden`` for a visitor without the
    /// reason's role.
    func entered(
      _ person: ID<Person>, for reason: AccessReason, in work: Work
    ) throws -> Portal.Newcomer?

    /// Returns the changes of the rights of those who act for a child that a corrected birth date
    /// causes at once, each as a sentence with their name; empty without such a change, and for a
    /// birth date in the future, which ``correct(_:to:for:in:)`` refuses.
    ///
    /// Each of them finds an entry in their access log. Throws as ``correct(_:to:for:in:)`` does.
    func consequences(
      ofCorrecting person: ID<Person>, to details: Portal.Newcomer, for reason: AccessReason,
      in work: Work
    ) throws -> [Text]

    /// Replaces the details of a person without an account, whom ``entered(_:for:in:)`` returns.
    ///
    /// The correction is recorded in the audit log and in the person's access log. Those who act for
    /// a child are told of another birth date, on which their rights depend.
    ///
    /// Throws ``Refusal/notFound`` for a person whom ``entered(_:for:in:)`` does not return, and
    /// ``Refusal/invalid(_:_:)`` as ``enter(_:for:in:)`` does.
    func correct(
      _ person: ID<Person>, to details: Portal.Newcomer, for reason: AccessReason,
      in work: Work
    ) throws

    /// Returns the people with this role and an active account, sorted by name, for an
    /// administrator's choice.
    ///
    /// Each of them finds an entry in their access log. Throws ``Refusal/forbidden`` unless the
    /// visitor is an administrator.
    func members(
      having role: Role, in work: Work
    ) throws -> [Portal.NamedPerson]

    /// Returns true if anybody has the role and an active account.
    func hasMembers(having role: Role, in work: Work) throws -> Bool

    /// Returns true if the person has the role and an active account.
    func acts(_ person: ID<Person>, as role: Role, in work: Work) throws -> Bool

    /// Returns the languages that people have chosen, with one statement. People without an account
    /// are left out.
    func languages(of people: [ID<Person>], in work: Work) throws -> [ID<Person>: Language]
  }
}

extension Portal.PeopleDirectory {
  /// Returns the language that the person has chosen; nil without an account.
  public func language(of person: ID<Person>, in work: Work) throws -> Language? {
    try languages(of: [person], in: work)[person]
  }
}

extension Portal {
  /// A person's number and name.
  public struct NamedPerson: Sendable, Hashable {
    /// The person's number.
    public let person: ID<Person>
    /// The person's name.
    public let name: String

    /// Creates a person with this name.
    public init(person: ID<Person>, name: String) {
      self.person = person
      self.name = name
    }
  }
}

extension Portal {
  /// One of the people for whom a visitor can use a page: the visitor, or a person in care.
  public struct PatientChoice: Sendable {
    /// The person's name.
    public let name: String
    /// The birth date; nil if never given.
    public let birthDate: CalendarDate?
    /// True for the person whom the present page is about.
    public let isCurrent: Bool
    /// The colour in which all pages show the person; nil for that of the name.
    let hue: Int?
    /// The beginning of the addresses of the person's pages; empty for the visitor.
    let prefix: String

    /// Creates the choice of the visitor, or of the person in care whose number is given.
    package init(
      name: String, hue: Int?, birthDate: CalendarDate?, inCare person: ID<Person>?,
      isCurrent: Bool
    ) {
      self.name = name
      self.hue = hue
      self.birthDate = birthDate
      self.isCurrent = isCurrent
      prefix = person.map(PersonInCare.prefix) ?? ""
    }
  }
}

extension Portal {
  /// A page on which the reception makes a one-time link for a patient, or ends what one gave.
  public struct ReceptionLink: Sendable, Hashable {
    /// The label of the button that opens the page.
    public let label: Text
    /// The page, with the way back.
    public let path: Path

    /// Creates a link with this label.
    public init(_ label: Text, to path: Path) {
      self.label = label
      self.path = path
    }
  }

  /// A one-time link that nobody has used yet. ``Context/content(of:)`` shows it.
  public struct UnusedLink: Sendable {
    let words: Text
    let cancelling: Cancelling?

    /// Creates a link with the words about it; `cancelling` is nil if the visitor may not cancel it.
    package init(_ words: Text, cancelling: Cancelling?) {
      (self.words, self.cancelling) = (words, cancelling)
    }

    /// The button that cancels a link.
    package struct Cancelling: Sendable {
      let label: Text
      let path: Path
      let fields: KeyValuePairs<StaticString, String>

      /// Creates a button that posts `fields`.
      package init(
        _ label: Text, to path: Path, with fields: KeyValuePairs<StaticString, String>
      ) {
        (self.label, self.path, self.fields) = (label, path, fields)
      }
    }
  }

  /// The records of a module that a person shows a doctor.
  public struct ShownRecords: Sendable {
    /// The title of the module.
    public let title: Text
    /// The page with the records.
    public let path: Path
    /// The time at which the permission ends.
    public let endsAt: Instant

    /// Creates the records of a module with this title.
    public init(_ title: Text, at path: Path, endsAt: Instant) {
      (self.title, self.path, self.endsAt) = (title, path, endsAt)
    }
  }

  /// Somebody who acts for a child, or whom an administrator has blocked from doing so.
  public struct Guardian: Sendable, Hashable {
    /// The guardian's name.
    public let name: String
    /// The time from which the guardian has acted for the child.
    public let since: Instant
    /// True if an administrator has blocked the guardian.
    public let isBlocked: Bool
    /// The page on which the reception ends what its link gave the guardian, for a week; nil for
    /// other staff, after the week, and for any other right, which an administrator ends.
    public let ending: ReceptionLink?

    /// Creates a guardian with this name.
    public init(name: String, since: Instant, isBlocked: Bool, ending: ReceptionLink? = nil) {
      self.name = name
      self.since = since
      self.isBlocked = isBlocked
      self.ending = ending
    }
  }
}

extension Portal {
  /// A person with the facts that lists show.
  public struct ListedPerson: Sendable, Hashable {
    /// The person's name.
    public let name: String
    /// The birth date; nil if never given.
    public let birthDate: CalendarDate?
    /// The sex in the profile: `female`, `male` or `other`; nil if never given.
    public let sex: String?
    /// The telephone number; empty if never given.
    public let phone: String

    /// Creates a person with these details.
    public init(name: String, birthDate: CalendarDate?, sex: String?, phone: String) {
      self.name = name
      self.birthDate = birthDate
      self.sex = sex
      self.phone = phone
    }
  }
}

extension Portal {
  /// The details that distinguish a person from others of the same name.
  public struct FoundPerson: Sendable, Hashable {
    /// The person's number.
    public let person: ID<Person>
    /// The person's name.
    public let name: String
    /// The birth date; nil if never given.
    public let birthDate: CalendarDate?
    /// The last four digits of the telephone number; empty without one.
    public let phoneEnding: String

    /// Creates a person with these details.
    public init(_ named: NamedPerson, birthDate: CalendarDate?, phoneEnding: String) {
      person = named.person
      name = named.name
      self.birthDate = birthDate
      self.phoneEnding = phoneEnding
    }
  }

  /// The people whom a search has found, sorted by name.
  public struct FoundPeople: Sendable {
    /// The numbers of the first people who match.
    public let people: [ID<Person>]
    /// True if more people match, so that the query should be narrowed.
    public let isCut: Bool

    /// Creates the result of a search.
    public init(_ people: [ID<Person>], isCut: Bool) {
      self.people = people
      self.isCut = isCut
    }
  }
}

extension Portal {
  /// A person without an account, with the data given at the reception.
  public struct Newcomer: Sendable, Equatable {
    /// The given name.
    public var name = ""
    /// The family name; may be empty.
    public var surname = ""
    /// The telephone number as given; may be empty.
    public var phone = ""
    /// The birth date; nil if not given.
    public var birthDate: CalendarDate?

    /// Creates a person without any data.
    public init() {}
  }
}
