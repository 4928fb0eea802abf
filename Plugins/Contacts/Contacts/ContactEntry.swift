import PolyclinicCore

extension Contact {
  static let index = SealedIndex<Entry>("contacts_index")

  /// The index entry of a contact. The list, the search and the birthday card read only this and
  /// open no contact.
  ///
  /// The texts are slices of the buffer that the entry was read from. Searching thousands of
  /// entries thus allocates nothing for each; a reference to the buffer in each text took most of a
  /// search's time.
  struct Entry: SearchedEntry {
    let id: ID<Contact>
    let birthday: CalendarDate?
    /// The day of birth if its year is unknown.
    let yearlessBirthday: CalendarDate.MonthDay?
    private let texts: ArraySlice<UInt8>
    // The name is first in the texts, and the further words are last.
    private let nameEnd: Int
    private let foldedPlace, digitsPlace: Range<Int>
    private let reachPlace, dialedPlace, initialsPlace: Range<Int>
    /// The e-mail hashes, eight bytes each.
    private let emailsPlace: Range<Int>
    /// The folded one-line texts and e-mail addresses. They are found like the name.
    private let wordsPlace: Range<Int>

    var name: SearchText {
      SearchText(in: texts, original: texts.startIndex..<nameEnd, folded: foldedPlace)
    }
    /// The digits of all telephone numbers, separated by spaces.
    var digits: ArraySlice<UInt8> { texts[digitsPlace] }
    /// The first contact method, in UTF-8. It distinguishes contacts with the same name.
    var reach: ArraySlice<UInt8> { texts[reachPlace] }

    /// The number that a telephone dials for ``reach``, as a `tel:` URL has it behind its scheme;
    /// empty if that is no telephone number.
    var dialed: ArraySlice<UInt8> { texts[dialedPlace] }
    /// The initials of the name, kept because a list shows dozens of them.
    var initials: ArraySlice<UInt8> { texts[initialsPlace] }

    /// The keys by which duplicates are found.
    var marks: [ContactMark] {
      let phones = digits.split(separator: UInt8(ascii: " ")).compactMap(ContactMark.phone(digits:))
      let emails = stride(from: emailsPlace.lowerBound, to: emailsPlace.upperBound - 7, by: 8).map {
        start in
        ContactMark.email(texts[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) })
      }
      return [.name(name.folded)] + phones + emails
    }

    init(_ contact: Contact, id: ID<Contact>) {
      self.id = id
      birthday = contact.birthday
      yearlessBirthday = birthday == nil ? contact.card.birthday : nil
      let name = SearchText(contact.name)
      var texts: [UInt8] = []
      nameEnd = texts.place(name.original).upperBound
      foldedPlace = texts.place(name.folded)
      digitsPlace = texts.place(Self.digits(of: contact.methods))
      reachPlace = texts.place((contact.methods.first?.value ?? "").utf8)
      dialedPlace = texts.place(Self.dialed(contact.methods.first).utf8)
      initialsPlace = texts.place(HTML.initials(of: contact.name).utf8)
      emailsPlace = texts.place(Self.emails(of: contact.methods))
      wordsPlace = texts.place(Self.words(of: contact))
      self.texts = texts[...]
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      let original = try bytes.place()
      nameEnd = original.upperBound
      foldedPlace = try bytes.place()
      digitsPlace = try bytes.place()
      birthday = try bytes.date()
      reachPlace = try bytes.place()
      dialedPlace = try bytes.place()
      initialsPlace = try bytes.place()
      yearlessBirthday = try bytes.monthDay()
      emailsPlace = try bytes.place()
      wordsPlace = try bytes.place()
      texts = bytes.buffer[original.lowerBound..<wordsPlace.upperBound]
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      name.write(to: &bytes)
      bytes.write(digits)
      bytes.write(birthday)
      bytes.write(reach)
      bytes.write(dialed)
      bytes.write(initials)
      bytes.write(yearlessBirthday)
      bytes.write(texts[emailsPlace])
      bytes.write(texts[wordsPlace])
    }

    static func == (one: Entry, other: Entry) -> Bool {
      one.id == other.id && one.name == other.name && one.digits == other.digits
        && one.birthday == other.birthday && one.reach == other.reach
        && one.yearlessBirthday == other.yearlessBirthday
        && one.texts[one.emailsPlace] == other.texts[other.emailsPlace]
        && one.texts[one.wordsPlace] == other.texts[other.wordsPlace]
    }

    static func < (one: Entry, other: Entry) -> Bool { one.name < other.name }

    static func isMeant(by query: SearchText.Query, from bytes: inout ByteReader) throws -> Bool {
      let _: ID<Contact> = try bytes.id()
      let _ = try bytes.place()
      let folded = try bytes.place()
      if query.matches(folded: folded, joinedDigits: try bytes.place(), in: bytes.buffer) {
        return true
      }
      try bytes.skipDate()
      for _ in 0..<3 { _ = try bytes.place() }
      try bytes.skipMonthDay()
      let _ = try bytes.place()
      return query.matches(folded: folded, or: try bytes.place(), in: bytes.buffer)
    }

    /// True if the contact is found by the query.
    func isMeant(by query: SearchText.Query) -> Bool {
      query.matches(name, joinedDigits: digits)
        || query.matches(folded: foldedPlace, or: wordsPlace, in: texts)
    }

    /// The folded one-line texts and e-mail addresses. Each address also counts by its domain.
    private static func words(of contact: Contact) -> [UInt8] {
      let texts = TextField.onPage.filter { $0.shape == .line }.map { contact[$0] }
      let emails = contact.methods.filter { $0.type == .email }.flatMap { method in
        [method.value, String(method.value.drop { $0 != "@" }.dropFirst())]
      }
      return foldedBytes((texts + emails).joined(separator: " "))
    }

    private static func dialed(_ method: CommunicationMethod?) -> Substring {
      guard let method, method.type == .phone,
        let link = OutsideLink.telephone(method.value)
      else { return "" }
      return link.description.dropFirst("tel:".count)
    }

    private static func digits(of methods: [CommunicationMethod]) -> [UInt8] {
      let numbers = methods.filter { $0.type == .phone }.map { ContactMark.digits(of: $0.value) }
      return Array(numbers.joined(separator: [UInt8(ascii: " ")]))
    }

    private static func emails(of methods: [CommunicationMethod]) -> [UInt8] {
      methods.filter { $0.type == .email }.flatMap { method in
        withUnsafeBytes(of: ContactMark.email(method.value).bigEndian, Array.init)
      }
    }
  }
}
