import PolyclinicCore

extension Contact {
  static let index = SealedIndex<Entry>("contacts_index")

  /// What the list, the search and the birthday card read: no contact is opened for them.
  ///
  /// Its texts are parts of the bytes it was read from, which it holds once: a search through thousands
  /// allocates nothing for each, and to hold them for each text took most of its time.
  struct Entry: SearchedEntry {
    let id: ID<Contact>
    let birthday: CalendarDate?
    private let texts: ArraySlice<UInt8>
    // The name begins the texts, and the way of reaching ends them.
    private let nameEnd: Int
    private let foldedPlace, digitsPlace: Range<Int>
    private let reachStart: Int

    var name: SearchText {
      SearchText(in: texts, original: texts.startIndex..<nameEnd, folded: foldedPlace)
    }
    /// The digits of all telephone numbers, with a blank between two numbers.
    var digits: ArraySlice<UInt8> { texts[digitsPlace] }
    /// The first way of reaching the contact, in UTF-8: it tells those of one name apart.
    var reach: ArraySlice<UInt8> { texts[reachStart...] }

    init(_ contact: Contact, id: ID<Contact>) {
      self.id = id
      birthday = contact.details.birthday
      let name = SearchText(contact.details.name)
      var texts: [UInt8] = []
      nameEnd = texts.place(name.original).upperBound
      foldedPlace = texts.place(name.folded)
      digitsPlace = texts.place(Self.digits(of: contact.methods))
      reachStart = texts.place((contact.methods.first?.value ?? "").utf8).lowerBound
      self.texts = texts[...]
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      let original = try bytes.place()
      nameEnd = original.upperBound
      foldedPlace = try bytes.place()
      digitsPlace = try bytes.place()
      birthday = try bytes.date()
      let reach = try bytes.place()
      reachStart = reach.lowerBound
      texts = bytes.buffer[original.lowerBound..<reach.upperBound]
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      name.write(to: &bytes)
      bytes.write(digits)
      bytes.write(birthday)
      bytes.write(reach)
    }

    static func == (one: Entry, other: Entry) -> Bool {
      one.id == other.id && one.name == other.name && one.digits == other.digits
        && one.birthday == other.birthday && one.reach == other.reach
    }

    static func < (one: Entry, other: Entry) -> Bool { one.name < other.name }

    static func isMeant(by query: SearchQuery, from bytes: inout ByteReader) throws -> Bool {
      let _: ID<Contact> = try bytes.id()
      let _ = try bytes.place()
      let folded = try bytes.place()
      return query.matches(folded: folded, joinedDigits: try bytes.place(), in: bytes.buffer)
    }

    /// Folding makes ASCII's digits of any script's.
    private static func digits(of methods: [CommunicationMethod]) -> [UInt8] {
      let numbers = methods.filter { $0.type == .phone }.map { method in
        SearchText(method.value).folded.filter(
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
      }
      return Array(numbers.joined(separator: [UInt8(ascii: " ")]))
    }
  }
}
