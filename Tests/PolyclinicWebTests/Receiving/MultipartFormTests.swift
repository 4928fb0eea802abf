import PolyclinicCore
import Testing

@testable import PolyclinicWeb

@Suite struct MultipartFormTests {
  private let type = "multipart/form-data; boundary=limit"

  private func read(_ text: String) -> MultipartForm? {
    MultipartForm(Array(text.utf8), contentType: type)
  }

  private func part(_ head: String, _ content: String) -> String {
    "--limit\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n"
  }

  @Test func `fields and files are parsed in the format that browsers send`() throws {
    let form = try #require(
      read(
        part("name=\"unit\"", "kg")
          + part("name=\"file\"; filename=\"a%22b.csv\"", "x\r\n--lim\r\ny")
          + "--limit--\r\n"))
    #expect(form.fields == Fields(["unit": "kg", "file": "a\"b.csv"]))
    #expect(form.files == ["file": Array("x\r\n--lim\r\ny".utf8)])
  }

  @Test func `a file input without a chosen file is an empty field`() throws {
    let form = try #require(read(part("name=\"file\"; filename=\"\"", "") + "--limit--\r\n"))
    #expect(form.fields == Fields(["file": ""]))
    #expect(form.files.isEmpty)
  }

  @Test func `a file can hold any bytes or be empty`() throws {
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
  func `a malformed body is refused or has no fields`(_ text: String) {
    let form = read(text)
    #expect(form == nil || form?.fields.pairs.isEmpty == true)
  }

  @Test func `a part with an overlong header is refused`() {
    let long = String(repeating: "x", count: 9_000)
    #expect(read(part("name=\"\(long)\"", "b") + "--limit--") == nil)
    #expect(read(part("name=\"a\"", long) + "--limit--")?.fields["a"] == long)
  }

  @Test func `a form with more than 1000 parts is refused`() {
    let many = String(repeating: part("name=\"a\"", "b"), count: 1_001) + "--limit--"
    #expect(read(many) == nil)
    let enough = String(repeating: part("name=\"a\"", "b"), count: 1_000) + "--limit--"
    #expect(read(enough)?.fields.pairs.count == 1_000)
  }

  @Test func `two files for one field, invalid UTF-8 and a bad boundary are refused`() {
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

  @Test func `a quoted boundary is accepted`() {
    let body = Array((part("name=\"a\"", "b") + "--limit--").utf8)
    #expect(
      MultipartForm(body, contentType: "multipart/form-data; boundary=\"limit\"; charset=utf-8")
        != nil)
  }
}
