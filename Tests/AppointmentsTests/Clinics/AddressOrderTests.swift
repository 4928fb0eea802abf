import PolyclinicCore
import PolyclinicPlaces
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct AddressOrderTests {
  @Test(arguments: [("US", "1 Main Street"), ("DE", "Main Street 1"), ("BY", "Main Street, 1")])
  func `every page and calendar writes a clinic's address in the order of its country`(
    country: String, street: String
  ) throws {
    let town = try Town()
    try town.portal.database.write { connection in
      try connection.run("UPDATE appointments_clinics SET country = \(country)")
    }
    let name = try #require(Countries.name(country, in: .english))
    let anna = try town.portal.register()
    let booked = try town.book(anna, "2026-05-05", "09:00")
    let clinic = anna.get("/appointments/clinics/\(town.clinic)")
    #expect(clinic.contains("<dd><bdi>\(street)</bdi></dd><dd><bdi>Minsk</bdi></dd>"))
    for page in [booked, "/appointments/clinics"] {
      #expect(anna.get(page).text.contains("\(street), Minsk, \(name)"), "\(page)")
    }
    let file = anna.get(booked + ".ics").body.replacing("\r\n ", with: "")
    let location = "\(street), Minsk, \(name)".replacing(",", with: "\\,")
    #expect(file.contains("LOCATION:First Clinic\\, \(location)\r\n"))
  }

  @Test func `readers of each language read the street in theirs`() throws {
    let town = try Town()
    try town.portal.database.write { connection in
      try connection.run("UPDATE appointments_clinics SET street_ru = 'Главная улица'")
    }
    let page = "/appointments/clinics/\(town.clinic)"
    #expect(town.portal.visitor(language: .russian).get(page).contains("Главная улица, 1"))
    for language in [Language.english, .hebrew] {
      #expect(town.portal.visitor(language: language).get(page).contains("Main Street, 1"))
    }
    let word = "%D0%93%D0%BB%D0%B0%D0%B2%D0%BD%D0%B0%D1%8F"
    let found = town.portal.visitor().get("/appointments/clinics?q=\(word)")
    #expect(found.hasLink(with: page))
  }
}
