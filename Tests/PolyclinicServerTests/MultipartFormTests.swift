import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite struct MultipartFormTests {
  private let type = "multipart/form-data; boundary=limit"

  private func read(_ text: String) -> MultipartForm? {
    MultipartForm(Array(text.utf8), contentType: type)
  }

  private func part(_ head: String, _ content: String) -> String {
    "--limit\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n"
  }

  @Test func `fields and files are read as a browser writes them`() throws {
    let form = try #require(
      read(
        part("name=\"unit\"", "kg")
          + part("name=\"file\"; filename=\"a%22b.csv\"", "x\r\n--lim\r\ny")
          + "--limit--\r\n"))
    #expect(form.fields == Fields(["unit": "kg", "file": "a\"b.csv"]))
    #expect(form.files == ["file": Array("x\r\n--lim\r\ny".utf8)])
  }

  @Test func `a file that was not chosen is an empty field`() throws {
    let form = try #require(read(part("name=\"file\"; filename=\"\"", "") + "--limit--\r\n"))
    #expect(form.fields == Fields(["file": ""]))
    #expect(form.files.isEmpty)
  }

  @Test func `a file may hold any bytes, and nothing`() throws {
    let body =
      Array("--limit\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\n".utf8)
      + [0, 0xFF, 0x0D, 0x0A] + Array("\r\n--limit--".utf8)
    #expect(MultipartForm(body, contentType: type)?.files == ["a": [0, 0xFF, 0x0D, 0x0A]])
    let empty = read(part("name=\"a\"; filename=\"b\"", "") + "--limit--")
    #expect(empty?.files == ["a": []])
    #expect(empty?.fields["a"] == "b")
  }

  @Test(arguments: [
    "", "--limit", "--limit\r\n", "--limit--x--limit", "garbage\r\n--limit--",
    "--limit\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end",
    "--limit\r\nContent-Disposition: form-data\r\n\r\nx\r\n--limit--",
    "--limit\r\n\r\n\r\nx\r\n--limit--",
    "--limit\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--limit--",
  ])
  func `what is broken is refused`(_ text: String) {
    let form = read(text)
    #expect(form == nil || form?.fields.pairs.isEmpty == true)
  }

  @Test func `a part that says too much of itself is refused`() {
    let long = String(repeating: "x", count: 9_000)
    #expect(read(part("name=\"\(long)\"", "b") + "--limit--") == nil)
    #expect(read(part("name=\"a\"", long) + "--limit--")?.fields["a"] == long)
  }

  @Test func `no more parts are read than fields of a form`() {
    let many = String(repeating: part("name=\"a\"", "b"), count: 1_001) + "--limit--"
    #expect(read(many) == nil)
    let enough = String(repeating: part("name=\"a\"", "b"), count: 1_000) + "--limit--"
    #expect(read(enough)?.fields.pairs.count == 1_000)
  }

  @Test
  func `two files of one name, text that is not UTF-8 and a boundary that is none are refused`() {
    let file = part("name=\"a\"; filename=\"b\"", "c")
    #expect(read(file + file + "--limit--") == nil)
    let bytes =
      Array("--limit\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8) + [0xFF]
      + Array("\r\n--limit--".utf8)
    #expect(MultipartForm(bytes, contentType: type) == nil)
    #expect(MultipartForm(Array("--\r\n".utf8), contentType: "multipart/form-data") == nil)
    #expect(
      MultipartForm(Array("--\r\n".utf8), contentType: type + String(repeating: "x", count: 80))
        == nil)
  }

  @Test func `a boundary may be quoted`() {
    let body = Array((part("name=\"a\"", "b") + "--limit--").utf8)
    #expect(
      MultipartForm(body, contentType: "multipart/form-data; boundary=\"limit\"; charset=utf-8")
        != nil)
  }
}
