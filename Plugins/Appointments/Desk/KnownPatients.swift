import PolyclinicCore

/// The patients who may be the one whom the reception enters as new: those with the same date of
/// birth, and the same name or telephone number; and those with the same full name if one of the
/// dates of birth is missing.
struct KnownPatients {
  /// The patient whose details are corrected, who is none of them; nil for a new one.
  var corrected: ID<Person>?
  let context: Context

  private static let field = "not_these"

  /// The value of the button for a new record although these patients are known.
  private static let another = "new-patient"

  /// Throws ``Refusal/conflict(_:)`` with the text if such patients exist and the form has not
  /// named them yet.
  func check(_ newcomer: Portal.Newcomer, saying text: Text = "reception.new.known") throws {
    if isConfirmed { return }
    if try !find(newcomer).isEmpty { throw Refusal.conflict(text) }
  }

  /// True if the form that was sent is answered with the question whether it is one of them.
  var isAsked: Bool { get throws { try !isConfirmed && !find(typed).isEmpty } }

  /// Returns the patients as links that go on with the booking for them, or with the waiting list
  /// in `kept`, the button for a new patient, and a hidden field which says that the form has named
  /// them. It is empty before the form is sent.
  func notice(keeping kept: Fields? = nil) throws -> HTML? {
    if context.request.method == .get { return nil }
    if isConfirmed { return acknowledgement }
    let found = try find(typed)
    if found.isEmpty { return nil }
    let chosen = kept ?? sent.beforePatient
    let guardians = try PatientSearch.guardians(of: found, context)
    return """
      \(acknowledgement)<h2>\(context.text("reception.new.same"))</h2>\
      \(rows: try found.map {
        try $0.row(keeping: chosen, guardians: guardians[$0.person] ?? [], context)
      })\(corrected == nil ? another : nil)
      """
  }

  /// The button for a new record, behind one for the Enter key, which presses the form's first.
  private var another: HTML {
    """
    <button class="hidden-text" tabindex="-1" aria-hidden="true"></button>\(actions:
      context.submit(
        "reception.new.another", name: "instead", value: Self.another, style: .secondary))
    """
  }

  private var typed: Portal.Newcomer {
    var newcomer = Portal.Newcomer()
    (newcomer.name, newcomer.surname) = (sent["name"], sent["surname"])
    (newcomer.phone, newcomer.birthDate) = (sent["phone"], CalendarDate(sent["birth_date"]))
    return newcomer
  }

  private var sent: Fields { context.request.fields }

  /// True if the form has named the patients for exactly these details, or a new record was chosen.
  private var isConfirmed: Bool {
    sent["instead"] == Self.another || sent[Self.field] == mark
  }

  private var acknowledgement: HTML {
    "<input type=\"hidden\" name=\"\(Self.field)\" value=\"\(mark)\">"
  }

  private var mark: String {
    ["name", "surname", "phone", "birth_date"].map { sent[$0] }.joined(separator: ";")
  }

  /// The search reads the name of every person, so it runs in a read transaction. The write
  /// transaction only adds the entries to the access logs.
  private func find(_ newcomer: Portal.Newcomer) throws -> [Portal.FoundPerson] {
    let people = context.portal.people
    let name = "\(newcomer.name) \(newcomer.surname)"
    let named = try people.search(name, for: .reception, in: context).people
    let described = try describedIDs(newcomer, name)
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
  private func isSame(_ newcomer: Portal.Newcomer, as found: Portal.FoundPerson) -> Bool {
    guard newcomer.birthDate == nil || found.birthDate == nil else { return false }
    return folded("\(newcomer.name) \(newcomer.surname)") == folded(found.name)
  }

  private func folded(_ name: String) -> [UInt8] {
    let words = name.split { $0.isWhitespace }
    return Array(SearchText(words.joined(separator: " ")).folded)
  }

  /// Returns the people with the same date of birth, and the same name or telephone number.
  private func describedIDs(_ newcomer: Portal.Newcomer, _ name: String) throws -> [ID<Person>] {
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
