import Foundation
import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// The invitations in the e-mails about appointments.
@Suite final class InvitationTests {
  private let file = NSTemporaryDirectory() + "invitations-\(UUID().uuidString)"
  private let town: Town
  private let anna: TestVisitor

  init() throws {
    let portal = try TestPortal(AppointmentsModule(), mail: "/usr/bin/tee -a \(file)")
    town = try Town(in: portal)
    anna = try portal.register()
    _ = anna.press("/notifications/confirm", on: "/notifications/preferences")
    let link = try #require(try texts().compactMap(Self.link).last)
    try #require(anna.press(link, on: link).location == "/notifications/confirmed")
  }

  deinit { unlink(file) }

  private static func link(_ text: String) -> String? {
    text.components(separatedBy: "\r\n").first { $0.contains("/notifications/confirm/") }
      .map { $0.replacing("https://clinic.example", with: "") }
  }

  /// Sends the e-mails and returns the decoded parts of all that were sent, oldest first.
  private func texts() throws -> [String] {
    try town.portal.sendMessages()
    return try String(contentsOfFile: file, encoding: .utf8)
      .components(separatedBy: "\r\n\r\n").compactMap { part in
        let lines = part.components(separatedBy: "\r\n")
          .prefix { !$0.hasPrefix("--") && !$0.hasPrefix("From:") }
        return Data(base64Encoded: lines.joined()).map { String(decoding: $0, as: UTF8.self) }
      }
  }

  /// Returns the lines of the latest event that was sent.
  private func latestEvent() throws -> [String] {
    let event = try #require(try texts().last { $0.hasPrefix("BEGIN:VCALENDAR") })
    return event.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
  }

  private func uid(_ path: String) -> String {
    "UID:appointment-\(path.split(separator: "/").last ?? "")@clinic.example"
  }

  @Test func `own bookings, moves and cancellations share one UID with a growing sequence`() throws
  {
    let path = try town.book(anna, "2026-05-05", "09:00")
    let booked = try latestEvent()
    #expect(booked.contains(uid(path)) && anna.get(path + ".ics").contains(uid(path)))
    #expect(booked.contains("METHOD:REQUEST") && booked.contains("SEQUENCE:0"))
    #expect(booked.contains("DTSTART:20260505T060000Z"))
    let edit = path + "/edit?doctor=\(town.doctor)&date=2026-05-06&time=09:00"
    #expect(try anna.submit(edit, [:]).status == 303)
    let moved = try latestEvent()
    #expect(moved.contains(uid(path)) && moved.contains("METHOD:REQUEST"))
    #expect(moved.contains("SEQUENCE:1") && moved.contains("DTSTART:20260506T060000Z"))
    #expect(try anna.submit(path + "/cancel", ["reason": "Zqreason"]).status == 303)
    let cancelled = try latestEvent()
    #expect(cancelled.contains(uid(path)) && cancelled.contains("METHOD:CANCEL"))
    #expect(cancelled.contains("SEQUENCE:2") && cancelled.contains("STATUS:CANCELLED"))
    let told = ["You have booked an", "You have moved your", "You have cancelled your"]
    #expect(
      town.portal.notices(of: anna).map(\.isUnread) == [false, false, false])
    for words in told { #expect(try texts().contains { $0.contains(words) }) }
  }

  @Test func `the clinic's booking, move and cancellation go out too`() throws {
    let desk = try town.atReception()
    let path = try town.book(anna.login, "2026-05-05", "09:00", by: desk)
    #expect(try latestEvent().contains("SEQUENCE:0"))
    let move = town.reschedule(path, "2026-05-06", "09:00")
    #expect(try desk.submit(move, ["reason": ""]).status == 303)
    #expect(try latestEvent().contains("SEQUENCE:1"))
    #expect(try desk.submit(path + "/withdraw", ["reason": ""]).status == 303)
    let cancelled = try latestEvent()
    #expect(cancelled.contains("METHOD:CANCEL") && cancelled.contains(uid(path)))
    #expect(
      cancelled.contains {
        $0.hasPrefix("ATTENDEE;") && $0.hasSuffix("mailto:\(anna.login)@example.org")
      })
  }

  @Test func `an e-mail and its event say nothing of doctor, specialization, place or reason`()
    throws
  {
    let path = try town.book(anna, "2026-05-05", "09:00", purpose: "Zqpurpose")
    _ = try anna.submit(path + "/cancel", ["reason": "Zqreason"])
    for text in try texts() {
      for word in ["House", "ardiology", "First Clinic", "Main Street", "Zq"] {
        #expect(!text.contains(word), "\(word)")
      }
    }
  }
}
