import PolyclinicCore

/// The question whether a corrected birth date is right, because it changes at once what those who
/// act for the patient may do.
struct BirthDateQuestion {
  let person: ID<Person>
  let context: Context

  private static let check = "date_is_right"
  /// The field with the date that was asked about, so that a tick holds for no other date.
  private static let asked = "date_asked"

  /// Throws ``Refusal/conflict(_:)`` for a date that was not confirmed and has such consequences.
  /// Needs the transaction that saves, because the rights may have changed since the page was shown.
  func requireConfirmed(_ details: Portal.Newcomer) throws {
    if isConfirmed { return }
    let consequences = try context.portal.people.consequences(
      ofCorrecting: person, to: details, for: .reception, in: context)
    if !consequences.isEmpty { throw Refusal.conflict("reception.correct.date") }
  }

  /// Returns the consequences of the date that was sent, by name, and the box that confirms it; nil
  /// for a date without any, and before the form is sent.
  func notice() throws -> HTML? {
    if context.request.method == .get { return nil }
    var details = Portal.Newcomer()
    details.birthDate = CalendarDate(sent["birth_date"])
    let consequences = try context.write { [details] context in
      try context.portal.people.consequences(
        ofCorrecting: person, to: details, for: .reception, in: context)
    }
    if consequences.isEmpty { return nil }
    return """
      \(each: consequences, { "<p>\(context.text($0))</p>" })\
      \(context.checkBox("reception.correct.date.yes", name: Self.check, isChecked: isConfirmed))\
      <input type="hidden" name="\(Self.asked)" value="\(sent["birth_date"])">
      """
  }

  private var sent: Fields { context.request.fields }

  private var isConfirmed: Bool {
    !sent[Self.check].isEmpty && sent[Self.asked] == sent["birth_date"]
  }
}
