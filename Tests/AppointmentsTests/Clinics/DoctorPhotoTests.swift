import Foundation
import PolyclinicDocuments
import PolyclinicTesting
import Testing

@testable import Appointments

/// The photo of a doctor, in place of the initials.
@Suite struct DoctorPhotoTests {
  private let town: Town

  init() throws { town = try Town() }

  private var page: String { "/appointments/doctors/\(town.doctor)" }

  /// Returns the address of the doctor's photo as visitors see it; nil without one.
  private func photo(on path: String) -> String? {
    let images = town.portal.visitor().get(path).main.all("img")
    return images.compactMap { $0.attributes["src"] }.first { $0.contains("/photos/") }
  }

  private func send(_ content: [UInt8] = onePixel) -> TestPage {
    town.doctorVisitor.upload(page + "/photo", "photo", content)
  }

  @Test func `a doctor's photo is redrawn and shown on the page and in the list`() throws {
    #expect(photo(on: page) == nil)
    #expect(send().location == page)
    let address = try #require(photo(on: page))
    #expect(photo(on: "/appointments/doctors") == address)
    let picture = try Picture(town.portal.visitor().getBytes(address))
    #expect(picture.suffix.description == "jpg" && picture.bytes != onePixel)
    #expect(!town.portal.visitor().get(page).contains("hue-"))
  }

  @Test func `a new photo has a new address, because browsers keep the earlier one`() throws {
    _ = send()
    let first = try #require(photo(on: page))
    _ = send()
    let second = try #require(photo(on: page))
    #expect(first != second && town.portal.visitor().get(first).status == 404)
    #expect(try town.count("SELECT count(*) FROM appointments_doctor_photos") == 1)
  }

  @Test func `a file that is no picture is refused at its field`() {
    #expect(send(Array("%PDF-1.7".utf8)).refuses("photo"))
    #expect(send(Array("<svg/>".utf8)).refuses("photo"))
    #expect(photo(on: page) == nil)
  }

  @Test func `an administrator sends and removes a doctor's photo`() throws {
    let admin = try town.portal.administrator()
    let form = town.doctorPath + "/photo"
    #expect(admin.upload(form, "photo", onePixel).location == town.doctorPath)
    #expect(photo(on: page) != nil)
    #expect(admin.press(form + "/remove", on: town.doctorPath).location == town.doctorPath)
    #expect(photo(on: page) == nil)
  }

  @Test func `nobody else changes a doctor's photo`() throws {
    let anna = try town.portal.register()
    #expect(anna.get(page + "/photo").status == 403)
    #expect(anna.get(town.doctorPath + "/photo").status == 403)
    #expect(town.doctorVisitor.get("/appointments/doctors/999/photo").status == 404)
  }

  @Test func `the photo is sealed, and deleted with the doctor's account`() throws {
    _ = send()
    let stored = String(decoding: try town.portal.storedBytes(), as: UTF8.self)
    #expect(!stored.contains("JFIF"))
    try town.portal.erase(town.doctorVisitor)
    #expect(try town.count("SELECT count(*) FROM appointments_doctor_photos") == 0)
  }
}

private let onePixel: [UInt8] = Array(
  Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
  ) ?? Data())
