import PolyclinicCore
import Testing

@Suite struct RetentionTests {
  private func end(of record: String, years: Int) throws -> String {
    let record = try #require(ZonedTime(record)).instant
    let end = PersonalData.Retention.Period(at: record, years: years).end(of: record)
    return ZonedTime(end, in: .utc).description
  }

  @Test func `a period ends after the same date the given number of years later`() throws {
    #expect(try end(of: "2026-05-04T00:00:00Z", years: 5) == "2031-05-05T00:00:00+00:00")
    #expect(try end(of: "2026-05-04T23:59:00Z", years: 5) == "2031-05-05T00:00:00+00:00")
    #expect(try end(of: "2025-12-31T12:00:00Z", years: 1) == "2027-01-01T00:00:00+00:00")
  }

  @Test func `a period that begins on 29 February ends with February`() throws {
    #expect(try end(of: "2024-02-29T12:00:00Z", years: 1) == "2025-03-01T00:00:00+00:00")
    #expect(try end(of: "2024-02-29T12:00:00Z", years: 4) == "2028-03-01T00:00:00+00:00")
  }

  @Test func `a period beyond the calendar never ends`() {
    let last = Instant(253_402_300_799)
    #expect(PersonalData.Retention.Period(at: last, years: 1).end(of: last) == Instant(.max))
  }
}
