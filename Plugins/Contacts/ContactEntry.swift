import PolyclinicCore

extension Contact {
  static let index = SealedIndex<Entry>("contacts_index")

  /// What the list, the search and the birthday card read: no contact is opened for them.
  ///
  /// Its texts are slices of the bytes it was read from, so that a search through thousands allocates
  /// nothing for each.
  struct Entry: SealedEntry {
    let id: ID<Contact>
    let name: SearchText
    /// The digits of all telephone numbers, with a blank between two numbers.
    let digits: ArraySlice<UInt8>
    let birthday: CalendarDate?
    /// The first way of reaching the contact, in UTF-8: it tells those of one name apart.
    let reach: ArraySlice<UInt8>

    init(_ contact: Contact, id: ID<Contact>) {
      self.id = id
      name = SearchText(contact.details.name)
      digits = Self.digits(of: contact.methods)[...]
      birthday = contact.details.birthday
      reach = Array((contact.methods.first?.value ?? "").utf8)[...]
    }

    init(from bytes: inout ByteReader) throws {
      id = try bytes.id()
      name = try SearchText(from: &bytes)
      digits = try bytes.bytes()
      birthday = try bytes.date()
      reach = try bytes.bytes()
    }

    func write(to bytes: inout ByteWriter) {
      bytes.write(id)
      name.write(to: &bytes)
      bytes.write(digits)
      bytes.write(birthday)
      bytes.write(reach)
    }

    static func < (one: Entry, other: Entry) -> Bool { one.name < other.name }

    func isMeant(by query: SearchQuery) -> Bool {
      query.matches(name, joinedDigits: digits)
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
