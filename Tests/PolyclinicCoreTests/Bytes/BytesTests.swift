import Testing

@testable import PolyclinicCore

@Suite struct BytesTests {
  private static let numbers: [Int64] = [
    0, 1, -1, 63, 64, -64, -65, 127, 128, 300, .max, .min, .max - 1, .min + 1,
  ]

  @Test(arguments: numbers)
  func `a signed number is decoded to the same value`(_ number: Int64) throws {
    var writer = ByteWriter()
    writer.write(number)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.integer() == number)
    #expect(reader.isAtEnd)
  }

  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, Int.max])
  func `a count is decoded to the same value`(_ count: Int) throws {
    var writer = ByteWriter()
    writer.write(count: count)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.count() == count)
  }

  @Test func `a negative count is written as zero`() throws {
    var writer = ByteWriter()
    writer.write(count: -5)
    #expect(writer.bytes == [0])
  }

  /// A value of each kind that can be written, one after the other.
  private static var everything: [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt8(7))
    writer.write(Int64(-300))
    writer.write(ID<Person>(12))
    writer.write([UInt8](repeating: 9, count: 200))
    writer.write("Łódź 👩‍⚕️")
    writer.write(["", "a", "bc"])
    writer.write(CalendarDate("2024-02-29")?.monthDay)
    writer.write(nil as CalendarDate.MonthDay?)
    writer.write(CalendarDate("1984-03-27"))
    writer.write(nil as CalendarDate?)
    return writer.bytes
  }

  private static func readEverything(_ bytes: ArraySlice<UInt8>) throws -> [String] {
    var reader = ByteReader(bytes)
    let read = [
      "\(try reader.byte())", "\(try reader.integer())", "\(try reader.id() as ID<Person>)",
      "\(try reader.bytes().count)", try reader.string(), "\(try reader.strings())",
      "\(try reader.monthDay().map { [$0.month, $0.day] } ?? [])",
      "\(try reader.monthDay().map { [$0.month, $0.day] } ?? [])",
      try reader.date()?.description ?? "", try reader.date()?.description ?? "",
    ]
    #expect(reader.isAtEnd)
    return read
  }

  @Test func `values are read in the order in which they were written`() throws {
    #expect(
      try Self.readEverything(Self.everything[...]) == [
        "7", "-300", "12", "200", "Łódź 👩‍⚕️", #"["", "a", "bc"]"#, "[2, 29]", "[]",
        "1984-03-27", "",
      ])
  }

  @Test func `every truncated encoding is refused without a crash`() {
    let bytes = Self.everything
    for length in 0..<bytes.count {
      #expect(throws: DecodingFailure.self) { try Self.readEverything(bytes.prefix(length)) }
    }
  }

  @Test func `29 February of a year that is not a leap year is refused`() throws {
    var writer = ByteWriter()
    writer.write(CalendarDate.MonthDay(month: 2, day: 29))
    writer.write(count: 2_023)
    var reader = ByteReader(writer.bytes)
    #expect(throws: DecodingFailure.self) { try reader.date() }
  }

  @Test func `a length beyond the end of the bytes is refused`() {
    var writer = ByteWriter()
    writer.write(count: Int.max)
    var reader = ByteReader(writer.bytes)
    #expect(throws: DecodingFailure.self) { try reader.bytes() }
    var texts = ByteReader(writer.bytes)
    #expect(throws: DecodingFailure.self) { try texts.strings() }
  }

  @Test func `a part is read on its own, and its unread bytes are skipped`() throws {
    var writer = ByteWriter()
    writer.write([1, 2, 3])
    writer.write([])
    writer.write("behind")
    var reader = ByteReader(writer.bytes)
    let (first, rest) = try reader.part { (try $0.byte(), Array($0.buffer[$0.unread])) }
    #expect(first == 1 && rest == [2, 3])
    #expect(throws: DecodingFailure.self) { try reader.part { try $0.byte() } }
    #expect(try reader.string() == "behind")
    #expect(reader.isAtEnd)
  }

  @Test func `a place is a range within the whole buffer`() throws {
    var bytes: [UInt8] = [9]
    #expect(bytes.place([1, 2]) == 1..<3 && bytes.place([]) == 3..<3)
    var writer = ByteWriter()
    writer.write([7, 8])
    var reader = ByteReader(([0, 0] + writer.bytes).dropFirst(2))
    let place = try reader.place()
    #expect(reader.buffer[place].elementsEqual([7, 8]) && reader.isAtEnd)
  }

  @Test func `a number of more than 64 bits is refused`() {
    let bytes = [UInt8](repeating: 0xFF, count: 11)
    var reader = ByteReader(bytes)
    #expect(throws: DecodingFailure.self) { try reader.integer() }
    var other = ByteReader(bytes)
    #expect(throws: DecodingFailure.self) { try other.count() }
  }

  @Test(arguments: [(0, 1), (1, 0), (13, 1), (255, 255), (2, 30), (4, 31), (12, 32)])
  func `a month and day that exist in no year are refused`(_ month: UInt8, _ day: UInt8) {
    var reader = ByteReader([month, day])
    #expect(throws: DecodingFailure.self) { try reader.monthDay() }
  }
}
