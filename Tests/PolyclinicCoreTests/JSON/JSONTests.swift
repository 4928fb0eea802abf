import Foundation
import Testing

@testable import PolyclinicCore

@Suite struct JSONTests {
  private func text(_ json: JSON) -> String { String(decoding: json.encoded, as: UTF8.self) }

  @Test func `members keep their order`() {
    let json: JSON = ["z": 1, "a": [true, false, nil, "x"], "m": [:], "n": []]
    #expect(text(json) == #"{"z":1,"a":[true,false,null,"x"],"m":{},"n":[]}"#)
  }

  @Test(arguments: [
    "", "\"", "\\", "\n\r\t\u{0}\u{1F}\u{7F}", "</script>", "é👩‍⚕️\u{2028}", "\\u0041",
  ])
  func `Foundation reads a written text unchanged`(_ typed: String) throws {
    let json = JSON.array([.string(typed), .object([.init(typed, 1)])])
    let read = try JSONSerialization.jsonObject(with: Data(json.encoded)) as? [Any]
    #expect(read?.first as? String == typed)
    #expect((read?.last as? [String: Int])?[typed] == 1)
  }

  @Test func `numbers that JSON cannot express are written as null`() {
    #expect(
      text(.array([.number(.nan), .number(.infinity), .number(-.infinity)])) == "[null,null,null]")
  }

  @Test(arguments: [0, -0.5, 72.35, 1e300, 1e-300, -1e21])
  func `Foundation reads other numbers unchanged`(_ number: Double) throws {
    let read = try JSONSerialization.jsonObject(with: Data(JSON.array([.number(number)]).encoded))
    #expect((read as? [Double])?.first == number)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `integers keep all their digits`(_ number: Int64) {
    #expect(text(.integer(number)) == number.description)
  }
}
