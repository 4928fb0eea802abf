import PolyclinicCore

/// The card that tells a called patient to go in, above everything else on a page. `call.js`
/// announces it.
struct TurnCard {
  /// The sentence with the doctor's name.
  let sentence: String
  /// The value whose change tells of another call: the number on the list, or the time of the
  /// appointment.
  let call: String
  let clinic: Clinic
  /// The page on which the patient tells the doctor that they cannot come.
  let decline: Path
  /// True if the patient has told so already.
  let isDeclined: Bool

  func html(_ context: Context) -> HTML {
    if isDeclined {
      return """
        <section class="panel" id="call" role="status"><h2>\(context.text("decline.done"))</h2>\
        <p>\(context.text("decline.done.hint"))</p></section>
        """
    }
    return """
      <section class="turn" id="call" data-call="\(call)" data-waiting="yes" \
      data-title="\(context.text("line.turn"))" \
      data-body="\(clinic.name.string(in: context.language))" role="status">\
      <p class="figure">\(context.text("line.turn.go"))</p>\
      <p><strong>\(context.text("line.turn")).</strong> \(sentence)</p>\(actions: context.button(
        "decline.link", to: decline, style: .secondary))</section>
      """
  }
}
