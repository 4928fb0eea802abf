import PolyclinicCore
import Testing

@Suite struct JSONWriterTests {
  private func text(_ write: (JSON.Writer) throws -> Void) throws -> String {
    String(decoding: try JSON.Writer.bytes(write), as: UTF8.self)
  }

  @Test func `members and elements written one by one equal the whole value`() throws {
    let whole: JSON = ["a": 1, "list": ["x", ["y": nil]], "none": [], "z\"": "end"]
    let written = try text { object in
      try object.write("a", 1)
      try object.writeArray("list") { list in
        try list.append("x")
        try list.append(["y": nil])
      }
      try object.writeArray("none") { _ in }
      try object.write("z\"", "end")
    }
    #expect(written == String(decoding: whole.encoded, as: UTF8.self))
  }

  @Test func `elements alone form an array, and no elements an empty text`() throws {
    let array = try text { writer in
      try writer.append(1)
      try writer.append([2])
    }
    #expect(array == "[1,[2]]")
    #expect(try text { _ in } == "")
  }

  @Test func `a member written beside elements is refused`() {
    #expect(throws: JSON.Writer.MixedValue.self) {
      try text { writer in
        try writer.append(1)
        try writer.write("a", 2)
      }
    }
  }
}

@Suite struct ByteSinkTests {
  @Test func `bytes are passed on unchanged in chunks of about 64 KB`() throws {
    var pieces: [[UInt8]] = []
    let sink = ByteSink { pieces.append($0) }
    let part = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    for _ in 0..<200 { try sink.write(part) }
    try sink.flush()
    try sink.flush()
    #expect(pieces.dropLast().allSatisfy { (65_536..<66_536).contains($0.count) })
    #expect(Array(pieces.joined()) == Array(repeatElement(part, count: 200).joined()))
  }

  @Test func `an error of the receiver is thrown to the writer`() {
    struct Closed: Error {}
    let sink = ByteSink { _ in throw Closed() }
    #expect(throws: Closed.self) {
      for _ in 0..<100 { try sink.write([UInt8](repeating: 1, count: 1_000)) }
    }
  }
}
