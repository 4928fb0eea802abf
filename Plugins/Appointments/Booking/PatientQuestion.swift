import PolyclinicCore

/// The question who the patient of a booking is.
///
/// A visitor who acts for others chooses among themselves and the people in care. Each choice leads
/// to the same time at the address of that person's pages. Somebody else is only asked about a child
/// without pages of its own, see ``BookedChild``.
struct PatientQuestion {
  /// The age from which doctors for children see nobody.
  private static let adultAge = 18

  private let choices: [Portal.PatientChoice]
  /// The birth date of the patient whom the page is about; nil if it is unknown.
  private let birthDate: CalendarDate?
  private let isForChildren: Bool
  /// True if the page is about the visitor and not about a person in care.
  private let isOwn: Bool
  /// The day of the visit.
  private let day: CalendarDate
  private let context: Context

  init(about attempt: BookingAttempt) throws {
    context = attempt.context
    choices = try context.patients()
    birthDate =
      try context.visitor == nil ? nil : context.portal.people.birthDate(in: context)
    isForChildren = try attempt.placement.get()?.isForChildren == true
    isOwn = try context.nameInCare == nil
    day = try attempt.requestedIfAny?.slot.local.date ?? context.today
  }

  /// True if the form asks for the birth date, because it is unknown. Only the person completes it.
  var asksForBirthDate: Bool { birthDate == nil && isOwn }

  /// True if the form asks an adult who books with a doctor for children which child comes. It does
  /// not ask a visitor who chooses among children in care.
  var asksForChild: Bool {
    isForChildren && isOwn && mayBeAdult && !choices.contains(where: isChild)
  }

  /// The choice of the patient; nil for a visitor who acts for nobody else.
  var html: HTML? {
    if choices.isEmpty { return nil }
    let children = isForChildren ? choices.filter(isChild) : []
    let others = isForChildren ? choices.filter { !isChild($0) } : choices
    return (children + others).panel("booking.patient", to: path, context)
  }

  /// The warning that an adult books with a doctor for children; nil if the form asks who comes.
  var warning: HTML? {
    guard isForChildren, mayBeAdult, !asksForChild else { return nil }
    return context.notice(.remark, "booking.adult", as: .warning)
  }

  /// True for an adult, and for a visitor whose age is unknown: few children have an account.
  private var mayBeAdult: Bool {
    birthDate.map { $0.age(on: day) >= Self.adultAge } ?? isOwn
  }

  private func isChild(_ choice: Portal.PatientChoice) -> Bool {
    choice.birthDate.map { $0.age(on: day) < Self.adultAge } ?? false
  }

  /// This page with the choices so far.
  private var path: Path {
    var kept = Fields()
    for name in ["doctor", "date", "time", "offset", "hold", BookingForm.forWhom] {
      let value = context.choices[name]
      if (1...40).contains(value.utf8.count) { kept.append(name, value) }
    }
    return BookingForm.path.query(kept)
  }
}

extension Context {
  /// The name of the person in care whom the page is about; nil on the visitor's own pages.
  var nameInCare: String? {
    get throws {
      guard let visitor, try keys.person != visitor.person else { return nil }
      return try portal.people.name(in: self)
    }
  }
}

extension Booking {
  /// Returns the name of the person whom the doctor sees; nil if it is the visitor.
  func nameOfOther(_ context: Context) throws -> String? {
    let child = try details(by: context.keys).child.name
    return try child.isEmpty ? context.nameInCare : child
  }

  /// Returns the heading of a form about the appointment, which names the person whom the doctor
  /// sees; nil if it is the visitor.
  func heading(_ context: Context) throws -> HTML? {
    try nameOfOther(context).map { "<p class=\"lead\"><bdi>\($0)</bdi></p>" }
  }
}

extension [Portal.PatientChoice] {
  /// Returns a panel with the links to a page, as it is about each of the people.
  func panel(_ title: Text, to path: Path, _ context: Context) -> HTML {
    """
    <section class="panel"><h2 id="patient">\(context.text(title))</h2>\
    <nav class="people" aria-labelledby="patient"><ul>\
    \(each: self, { "<li>\($0.link(to: path))</li>" })</ul></nav></section>
    """
  }
}
