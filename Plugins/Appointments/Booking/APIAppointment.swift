import PolyclinicCore

/// An appointment in the JSON API: with one of the portal's doctors, or elsewhere.
struct APIAppointment: Sendable {
  var doctor: Int?
  var department: Int?
  var clinic: Int?
  var date: CalendarDate?
  var time: TimeOfDay?
  /// The UTC offset of the time. It tells two equal times apart if clocks are set back.
  var offset = ""
  var location = ""
  /// The doctor's name. API clients set it for an appointment elsewhere; for a booking it is in
  /// responses only.
  var doctorName = ""
  var purpose = ""
  /// True to book in spite of another appointment at that time.
  var overlaps = false
  /// The stored appointment; `nothing` for one that an API client sent.
  var stored = Stored.nothing

  enum Stored: Sendable {
    case nothing
    case booking(Booking)
    case personal(PersonalAppointment)
  }

  static let form = Form(
    APIAppointment(),
    number(\.doctor, "doctor"), number(\.department, "department"), number(\.clinic, "clinic"),
    .date(\.date, "date", required: true),
    .time(\.time, "time", required: true),
    .text(\.offset, "offset", limit: 6).labelled("booking.offset"),
    .text(\.location, "location", limit: 300, hint: "field.location.hint"),
    .text(\.doctorName, "doctor_name", limit: 200).labelled("personal.doctor"),
    .lines(\.purpose, "purpose", limit: 2_000),
    .check(\.overlaps, "overlap").labelled("booking.overlap.book")
  ).requiring("location") { appointment in
    if appointment.doctor == nil { return appointment.location.isEmpty ? "error.required" : nil }
    return appointment.location.isEmpty ? nil : "program.location"
  }

  private static func number(
    _ value: WritableKeyPath<APIAppointment, Int?> & Sendable, _ name: String
  ) -> Field<APIAppointment> {
    .integer(value, name, in: 1...999_999_999_999).labelled(Text("booking.\(name)"))
  }
}

extension APIAppointment {
  init(_ booking: Booking, at placement: DoctorPlacement?, purpose: String) {
    let time = Slot(span: booking.span, zone: booking.zone)
    doctor = Int(booking.doctor.rawValue)
    department = placement.map { Int($0.department.id.rawValue) }
    clinic = placement.map { Int($0.clinic.id.rawValue) }
    date = time.local.date
    self.time = time.local.time
    offset = time.offset ?? ""
    self.purpose = purpose
    stored = .booking(booking)
  }

  init(_ appointment: PersonalAppointment) {
    date = appointment.date
    time = appointment.time
    location = appointment.location
    doctorName = appointment.doctorName
    purpose = appointment.purpose
    stored = .personal(appointment)
  }

  /// Returns `stored` with these fields in place of its own, for an appointment elsewhere.
  func personal(over stored: PersonalAppointment = PersonalAppointment()) -> PersonalAppointment {
    var appointment = stored
    appointment.date = date
    appointment.time = time
    appointment.location = location
    appointment.doctorName = doctorName
    appointment.purpose = purpose
    return appointment
  }
}
