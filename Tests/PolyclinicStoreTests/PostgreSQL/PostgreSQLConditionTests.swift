import PolyclinicCore
import Testing

@testable import PolyclinicStore

@Suite struct PostgreSQLConditionTests {
  private let now = Instant(1_000)

  private func warnings(
    _ collation: String, waitsForStandby: Bool, at time: Int64
  ) -> [DatabaseWarning] {
    PostgreSQLCondition(
      collation: collation, encoding: "UTF8", waitsForStandby: waitsForStandby, time: Instant(time)
    ).warnings(readBetween: now, and: now + .seconds(1))
  }

  @Test func `a server with a standby, texts in the order of bytes and the right time is accepted`()
  {
    for time in [995, 1_000, 1_006] as [Int64] {
      #expect(warnings("C", waitsForStandby: true, at: time) == [])
    }
  }

  @Test func `the standby, the order of texts and the clock are warned of`() {
    #expect(
      warnings("en_US.UTF-8", waitsForStandby: false, at: 994) == [.standby, .collation, .clock])
    #expect(warnings("ICU", waitsForStandby: true, at: 1_007) == [.collation, .clock])
  }
}
