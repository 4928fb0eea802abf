import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The reception of the clinic.
extension Town {
  /// Creates a receptionist of the clinic.
  func atReception() throws -> TestVisitor {
    let visitor = try portal.receptionist(["name": "Olga", "surname": "Desk"])
    let person = try portal.person(of: visitor)
    try portal.write { connection in
      try Receptionist.assign(person, to: clinic, in: connection)
    }
    return visitor
  }

  /// Registers a patient whom the reception finds by each of her details, such as her birth date,
  /// 13 February 1990.
  func zinaida() throws -> TestVisitor {
    try portal.register([
      "name": "Zinaida", "surname": "Quux", "phone": "+375 29 555 1234",
      "birth_date": "1990-02-13",
    ])
  }

  /// Searches for a patient at the reception, and returns the query that names the first patient
  /// found.
  func chosen(_ words: String, by desk: TestVisitor) -> String {
    let answer = desk.press(
      "/appointments/desk/search", on: "/appointments/desk/book", ["q": words], evenIfAbsent: true)
    return Self.chosen(on: desk.get(answer.location))
  }

  /// Returns the query by which the page's links name the first patient.
  static func chosen(on page: TestPage) -> String {
    page.body.firstMatch(of: /patient_id=[A-Za-z0-9_-]+/).map { String($0.output) } ?? "patient_id="
  }

  /// Books for a patient with an account and returns the appointment's path.
  func book(
    _ patient: String, _ date: String, _ time: String, by desk: TestVisitor
  ) throws -> String {
    let last = "/appointments/desk/book/login?doctor=\(doctor)&date=\(date)&time=\(time)"
    return try booked(desk.submit(last, ["patient": patient]))
  }

  /// Books for a patient without an account and returns the appointment's path.
  func bookForNewPatient(
    _ date: String, _ time: String, phone: String = "+375 29 1234567", by desk: TestVisitor
  ) throws -> String {
    let last = "/appointments/desk/new?doctor=\(doctor)&date=\(date)&time=\(time)"
    return try booked(
      desk.submit(
        last,
        ["name": "Eva", "surname": "Novak", "phone": phone, "instead": "new-patient"]))
  }

  private func booked(_ answer: TestPage) throws -> String {
    guard answer.status == 303 else { throw Refused(status: answer.status, body: answer.body) }
    return "/appointments/\(try count("SELECT max(id_appointment) FROM appointments"))"
  }
}
