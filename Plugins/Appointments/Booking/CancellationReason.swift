import PolyclinicCore

/// Why an appointment is cancelled, as it is typed beside the question: nobody has to say it.
enum CancellationReason {
  private static let limit = 500

  static func field(_ context: Context, hint: Text? = nil) -> HTML {
    let explanation: HTML? = hint.map {
      "<p class=\"hint\" id=\"reason-hint\">\(context.text($0))</p>"
    }
    let described: HTML? = hint.map { _ in " aria-describedby=\"reason-hint\"" }
    return """
      <div class="field"><label for="reason">\(context.text("field.reason"))\
      <span class="mark">\(context.text("form.optional"))</span></label>\(explanation)\
      <textarea id="reason" name="reason" rows="3" maxlength="\(limit)"\(described)>\n\(context.request.fields["reason"])</textarea></div>
      """
  }

  /// What was typed; throws ``Refusal/conflict(_:)`` for too much.
  static func read(_ context: Context) throws -> String {
    let reason = context.request.fields["reason"]
    if reason.unicodeScalars.count > limit {
      throw Refusal.conflict(Text("error.too-long", ["limit": String(limit)]))
    }
    return reason
  }
}
