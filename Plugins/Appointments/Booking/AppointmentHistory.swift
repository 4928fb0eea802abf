import PolyclinicCore

/// The history of an appointment as HTML, with the details that its reader may see.
struct AppointmentHistory {
  let entries: [HistoryEntry]
  let zone: Zone
  let reader: Reader
  let context: Context

  /// The reader of the history.
  enum Reader {
    case patient
    /// The doctor, who sees the patient's name.
    case doctor(patient: String)
    /// A receptionist, who sees the patient's name. The patient's reason for cancelling is left
    /// out, because it may be an illness.
    case receptionist(patient: String)
  }

  var content: HTML {
    """
    <h2>\(context.text("appointment.history"))</h2>\
    \(orderedRows: zip(entries, [nil] + entries).map { .row(content: line($0, after: $1)) })
    """
  }

  private func line(_ entry: HistoryEntry, after previous: HistoryEntry?) -> HTML {
    let reason = reason(of: entry)
    let shown: HTML? =
      reason.isEmpty ? nil : "<span class=\"secondary-text\"><bdi>\(reason)</bdi></span>"
    return """
      <strong>\(change(entry, after: previous))</strong><span class="secondary-text">\
      \(BookingText.dateTime(entry.at, in: zone, context)) · \(actor(entry))</span>\(shown)
      """
  }

  private func change(_ entry: HistoryEntry, after previous: HistoryEntry?) -> String {
    // An arrival follows an arrival or a visit only if a call or that visit was taken back.
    if entry.status == .arrived, [.arrived, .fulfilled].contains(previous?.status) {
      return context.text("history.taken-back")
    }
    guard entry.status == .booked else { return context.text(entry.status.title) }
    if let previous, previous.status != .booked, previous.startsAt == entry.startsAt {
      return context.text("history.taken-back")
    }
    let start = BookingText.dateTime(entry.startsAt, in: zone, context)
    return context.text(
      entry.sequence > 0 ? "history.moved" : "history.booked", ["time": start])
  }

  private func actor(_ entry: HistoryEntry) -> HTML {
    let name = entry.note.name
    let role = context.text(Text("actor.\(entry.role.rawValue)"))
    switch reader {
    case .patient where name.isEmpty: return "\(context.text("history.you"))"
    case .doctor(let patient) where name.isEmpty, .receptionist(let patient) where name.isEmpty:
      return "<bdi>\(patient)</bdi>, \(role)"
    case .patient, .doctor, .receptionist: return "<bdi>\(name)</bdi>, \(role)"
    }
  }

  private func reason(of entry: HistoryEntry) -> String {
    if case .receptionist = reader, entry.role == .patient { return "" }
    return entry.note.reason
  }
}
