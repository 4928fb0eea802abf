import PolyclinicCore

/// A child for whom the patient has booked, so that the next booking does not ask for it again.
///
/// It is read from the bookings that name it, so nothing further is stored, and it is forgotten with
/// them.
struct BookedChild: Sendable {
  let child: Booking.Child
  /// The earliest of the loaded bookings for the child, which identifies it in a form.
  private let booking: ID<Appointment>

  /// The number of bookings that are read, the latest ones.
  private static let mostBookings = 50

  /// The value of the choice.
  var value: String { "child-\(booking)" }

  /// Returns the children of the keys' owner, those of the latest bookings first.
  static func all(in work: Work) throws -> [BookedChild] {
    let bookings = try Booking.all(
      where: """
        appointments.person = \(work.keys.person) AND doctor IS NOT NULL AND sealed IS NOT NULL
        ORDER BY starts_at DESC, id_appointment DESC LIMIT \(mostBookings)
        """, in: work)
    var earliest: [Booking.Child: ID<Appointment>] = [:]
    var children: [Booking.Child] = []
    for booking in bookings {
      let child = try booking.details(by: work.keys).child
      if child.name.isEmpty { continue }
      if earliest.updateValue(booking.id, forKey: child) == nil { children.append(child) }
    }
    return children.compactMap { child in
      earliest[child].map { BookedChild(child: child, booking: $0) }
    }
  }

  /// Returns the option of the choice, such as “Mila, 6 years old”.
  func choice(_ context: Context) -> Choice {
    let age = child.birthDate.map { context.text("patient.age", count: $0.age(on: context.today)) }
    return Choice(
      value, .verbatim([child.name, age].compactMap(\.self).joined(separator: ", ")))
  }
}
