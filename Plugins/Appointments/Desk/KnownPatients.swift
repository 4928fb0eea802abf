import PolyclinicCore

/// The patients who may be the one whom the reception enters as new: those with the same date of
/// birth, and the same name or telephone number; and those with the same full name if one of the
/// dates of birth is missing.
enum KnownPatients {
  private static let field = "not_these"
  private static let newPatient = "new-patient"

  /// Returns the choice of a new record although these patients are known.
  static let choice = Choice(newPatient, .text("reception.new.another"))

  /// Throws ``Refusal/conflict(_:)`` with the text if such patients exist and the form has not
  /// named them yet.
  ///
  /// - `corrected` is the patient whose details are corrected, who is none of them.
  static func check(
    _ newcomer: Portal.Newcomer, besides corrected: ID<Person>? = nil,
    saying text: Text = "reception.new.known", _ context: Context
  ) throws {
    let sent = context.request.fields
    if isConfirmed(sent) { return }
    if try !find(newcomer, besides: corrected, context).isEmpty { throw Refusal.conflict(text) }
  }

  /// Returns the patients as links that go on with the booking for them, or with the waiting list
  /// in `kept`, and a hidden field which says that the form has named them. It is empty before the
  /// form is sent.
  static func notice(
    keeping kept: Fields? = nil, besides corrected: ID<Person>? = nil, _ context: Context
  ) throws -> HTML? {
    let sent = context.request.fields
    if context.request.method == .get { return nil }
    if isConfirmed(sent) { return acknowledgement(of: sent) }
    var newcomer = Portal.Newcomer()
    (newcomer.name, newcomer.surname, newcomer.phone) = (
      sent["name"], sent["surname"], sent["phone"]
    )
    newcomer.birthDate = CalendarDate(sent["birth_date"])
    let found = try find(newcomer, besides: corrected, context)
    if found.isEmpty { return nil }
    let chosen = kept ?? sent.beforePatient
    return """
      \(acknowledgement(of: sent))<h2>\(context.text("reception.new.same"))</h2>\
      \(rows: try found.map { try $0.row(keeping: chosen, context) })
      """
  }

  /// True if the form has named the patients for exactly these details, or a new record was chosen.
  private static func isConfirmed(_ sent: Fields) -> Bool {
    sent["instead"] == newPatient || sent[field] == mark(sent)
  }

  private static func acknowledgement(of sent: Fields) -> HTML {
    "<input type=\"hidden\" name=\"\(field)\" value=\"\(mark(sent))\">"
  }

  private static func mark(_ sent: Fields) -> String {
    ["name", "surname", "phone", "birth_date"].map { sent[$0] }.joined(separator: ";")
  }

  /// The search reads the name of every person, so it runs in a read transaction. The write
  /// transaction only adds the entries to the access logs.
  private static func find(
    _ newcomer: Portal.Newcomer, besides corrected: ID<Person>?, _ context: Context
  ) throws -> [Portal.FoundPerson] {
    let people = context.portal.people
    let name = "\(newcomer.name) \(newcomer.surname)"
    let named = try people.search(name, for: .reception, in: context).people
    let described = try describedIDs(newcomer, name, context)
    return try context.write { context in
      try Set(described + named).subtracting([corrected].compactMap(\.self)).sorted().compactMap {
        person in
        let found = try people.found(person, for: .reception, in: context)
        return described.contains(person) || found.map { isSame(newcomer, as: $0) } == true
          ? found : nil
      }
    }
  }

  /// True if the full names are equal and one of the dates of birth is missing.
  private static func isSame(_ newcomer: Portal.Newcomer, as found: Portal.FoundPerson) -> Bool {
    guard newcomer.birthDate == nil || found.birthDate == nil else { return false }
    return folded("\(newcomer.name) \(newcomer.surname)") == folded(found.name)
  }

  private static func folded(_ name: String) -> [UInt8] {
    let words = name.split { $0.isWhitespace }
    return Array(SearchText(words.joined(separator: " ")).folded)
  }

  /// Returns the people with the same date of birth, and the same name or telephone number.
  private static func describedIDs(
    _ newcomer: Portal.Newcomer, _ name: String, _ context: Context
  ) throws -> [ID<Person>] {
    guard let date = newcomer.birthDate else { return [] }
    let people = context.portal.people
    let digits = String(newcomer.phone.filter { $0.isASCII && $0.isNumber }.suffix(7))
    // A shorter number is shared by too many patients.
    let described = [name] + (digits.count == 7 ? [digits] : [])
    return try described.flatMap {
      try people.search("\($0) \(date)", for: .reception, in: context).people
    }
  }
}
