import PolyclinicCore

/// Who did what with an appointment, line by line, as one of those it concerns reads it.
struct AppointmentHistory {
  let events: [AppointmentEvent]
  let zone: Zone
  let reader: Reader
  let context: Context

  /// Who reads it.
  enum Reader {
    case patient
    /// The doctor, who reads the patient's name.
    case doctor(patient: String)
    /// A receptionist, who reads the patient's name, but not why the patient cancels: that may be an
    /// illness.
    case desk(patient: String)
  }

  var content: HTML {
    """
    <h2>\(context.text("appointment.history"))</h2>\
    <ol class="rows">\(each: zip(events, [nil] + events), {
      "<li><div class=\"item\"><span>\(line($0, after: $1))</span></div></li>"
    })</ol>
    """
  }

  private func line(_ event: AppointmentEvent, after previous: AppointmentEvent?) -> HTML {
    let reason = reason(of: event)
    let shown: HTML? =
      reason.isEmpty ? nil : "<span class=\"secondary-text\"><bdi>\(reason)</bdi></span>"
    return """
      <strong>\(what(event, after: previous))</strong><span class="secondary-text">\
      \(context.formats.dateTime(event.at)) · \(who(event))</span>\(shown)
      """
  }

  private func what(_ event: AppointmentEvent, after previous: AppointmentEvent?) -> String {
    guard event.status == .booked else { return context.text(event.status.title) }
    if let previous, previous.status != .booked, previous.startsAt == event.startsAt {
      return context.text("history.taken-back")
    }
    let start = BookingWords.dateTime(event.startsAt, in: zone, context)
    return context.text(
      event.sequence > 0 ? "history.moved" : "history.booked", ["time": start])
  }

  private func who(_ event: AppointmentEvent) -> HTML {
    let name = event.note.name
    let role = context.text(Text("actor.\(event.role.rawValue)"))
    switch reader {
    case .patient where name.isEmpty: return "\(context.text("history.you"))"
    case .doctor(let patient) where name.isEmpty, .desk(let patient) where name.isEmpty:
      return "<bdi>\(patient)</bdi>, \(role)"
    case .patient, .doctor, .desk: return "<bdi>\(name)</bdi>, \(role)"
    }
  }

  private func reason(of event: AppointmentEvent) -> String {
    if case .desk = reader, event.role == .patient { return "" }
    return event.note.reason
  }
}
