import Testing

@testable import PolyclinicCore
@testable import VaccinationQR

/// The bytes of index entries, which other releases read too.
@Suite struct StoredIndexTests {
  @Test(arguments: [CalendarDate("2036-05-01"), nil])
  func `an entry of a vaccination has the stored format`(
    _ nextDue: CalendarDate?
  ) throws {
    var bytes = ByteWriter()
    bytes.write(ID<Vaccination>(300))
    bytes.write(CalendarDate("2026-05-01"))
    bytes.write("Td-pur")
    bytes.write("Mother")
    bytes.write(nextDue)
    bytes.write("Tetanus")
    bytes.write(count: 2)
    bytes.write("yes")
    var vaccination = Vaccination(
      label: "Mother", vaccine: "Td-pur", disease: "Tetanus", dose: 2, nextDue: nextDue,
      isLast: true)
    vaccination.date = CalendarDate("2026-05-01")
    let entry = Vaccination.Entry(vaccination, id: ID(300))
    #expect(Array(Vaccination.index.encoded(entry)) == bytes.bytes)
    let read = try Vaccination.index.decoded(bytes.bytes[...])
    #expect(read.id == ID(300) && read.date == vaccination.date && read.vaccine == "Td-pur")
    #expect(read.label == "Mother" && read.nextDue == nextDue)
    #expect(read.disease == "Tetanus" && read.dose == 2 && read.isLast)
  }

  @Test(arguments: [-3, 0, 200])
  func `an entry of a certificate has the stored format`(_ place: Int) throws {
    var bytes = ByteWriter()
    bytes.write(ID<Certificate>(300))
    bytes.write(Int64(place))
    bytes.write("Mother")
    bytes.write(count: 2)
    bytes.write("eu")
    bytes.write("Anna Petrova")
    bytes.write("2/2")
    bytes.write(CalendarDate("2023-11-15"))
    let certificate = Certificate(
      label: "Mother", place: place, pages: 2, codes: 1, kind: "eu", holder: "Anna Petrova",
      dose: "2/2", expires: CalendarDate("2023-11-15"))
    let entry = Certificate.Entry(certificate, id: ID(300))
    #expect(Array(Certificate.index.encoded(entry)) == bytes.bytes)
    let read = try Certificate.index.decoded(bytes.bytes[...])
    #expect(read.id == ID(300) && read.place == place && read.label == "Mother")
    #expect(read.pages == 2 && read.kind == "eu" && read.holder == "Anna Petrova")
    #expect(read.dose == "2/2" && read.expires == certificate.expires)
  }
}
