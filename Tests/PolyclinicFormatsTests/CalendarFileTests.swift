import PolyclinicCore
import PolyclinicFormats
import PolyclinicPlaces
import Testing

@Suite struct CalendarFileTests {
  private let start = Instant(1_777_885_200)

  private func text(_ file: CalendarFile) -> String {
    String(decoding: file.bytes(at: start), as: UTF8.self)
  }

  private func event(_ summary: String = "Appointment") -> CalendarEvent {
    CalendarEvent(
      id: "appointments-7@clinic.example", start + .days(1)..<start + .days(1) + .minutes(10),
      summary: summary)
  }

  @Test func `an event is written exactly as RFC 5545 prescribes`() {
    var visit = event()
    visit.location = "First Clinic, Main Street 1; 2nd floor"
    visit.coordinates = Coordinates(latitude: 53.9023, longitude: -27.5618)
    visit.details = "Bring:\n\\ card"
    visit.sequence = 2
    visit.changedAt = start - .minutes(1)
    visit.reminders = [.days(1), .hours(2)]
    let expected = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Polyclinic//Polyclinic//EN
      CALSCALE:GREGORIAN
      METHOD:PUBLISH
      BEGIN:VEVENT
      UID:appointments-7@clinic.example
      DTSTAMP:20260504T090000Z
      DTSTART:20260505T090000Z
      DTEND:20260505T091000Z
      SUMMARY:Appointment
      DESCRIPTION:Bring:\\n\\\\ card
      LOCATION:First Clinic\\, Main Street 1\\; 2nd floor
      GEO:53.902300;-27.561800
      SEQUENCE:2
      LAST-MODIFIED:20260504T085900Z
      STATUS:CONFIRMED
      CLASS:PRIVATE
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:Appointment
      TRIGGER:-P1D
      END:VALARM
      BEGIN:VALARM
      ACTION:DISPLAY
      DESCRIPTION:Appointment
      TRIGGER:-PT2H
      END:VALARM
      END:VEVENT
      END:VCALENDAR

      """
    #expect(text(CalendarFile([visit])) == expected.replacing("\n", with: "\r\n"))
  }

  @Test func `an invitation names the organizer and the attendee`() throws {
    var visit = event()
    visit.invitation = .init(
      from: try #require(.mail("desk@clinic.example")), named: "Riverside; \"East\", Minsk\r\nX:1",
      to: try #require(.mail("o'neil+a&b@example.org")))
    var file = CalendarFile([visit])
    file.method = .request
    let written = text(file).replacing("\r\n ", with: "")
    #expect(written.contains("\r\nMETHOD:REQUEST\r\n"))
    #expect(
      written.contains(
        "\r\nORGANIZER;CN=\"Riverside; East, MinskX:1\":mailto:desk@clinic.example\r\n"))
    #expect(
      written.contains("PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:o%27neil%2Ba%26b@example.org\r\n"))
  }

  @Test func `a cancelled event has no reminders`() {
    var visit = event()
    visit.status = .cancelled
    visit.reminders = [.hours(2)]
    let written = text(CalendarFile([visit]))
    #expect(written.contains("STATUS:CANCELLED\r\n"))
    #expect(!written.contains("VALARM"))
  }

  @Test func `a long line is folded at 75 octets between characters`() {
    let name = String(repeating: "שלום привет ", count: 30) + "👩‍⚕️"
    let lines = CalendarFile([event(name)]).bytes(at: start).split(separator: UInt8(ascii: "\n"))
    var unfolded: [[UInt8]] = []
    for line in lines {
      #expect(line.last == UInt8(ascii: "\r"))
      #expect(line.count <= 76)
      #expect(String(validating: line, as: UTF8.self) != nil)
      if line.first == UInt8(ascii: " ") {
        unfolded[unfolded.count - 1] += line.dropFirst().dropLast()
      } else {
        unfolded.append(Array(line.dropLast()))
      }
    }
    #expect(lines.count > 20)
    #expect(unfolded.contains(Array("SUMMARY:\(name)".utf8)))
  }

  @Test func `line breaks in a summary are escaped and start no line of the file`() {
    let hostile = "A\r\nEND:VEVENT\nBEGIN:VALARM\r\u{0}\u{85}\u{1B}x"
    let written = text(CalendarFile([event(hostile)]))
    #expect(written.contains("SUMMARY:A\\nEND:VEVENT\\nBEGIN:VALARMx\r\n"))
    #expect(!written.contains("VALARM\r\n"))
  }

  @Test func `a feed has a name and a refresh interval`() {
    let written = text(CalendarFile(title: "Anna, appointments", [], refresh: .hours(1)))
    #expect(written.contains("NAME:Anna\\, appointments\r\nX-WR-CALNAME:Anna\\, appointments\r\n"))
    #expect(written.contains("REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n"))
  }
}
