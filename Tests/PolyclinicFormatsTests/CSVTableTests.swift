import PolyclinicCore
import PolyclinicFormats
import Testing

@Suite struct CSVTableTests {
  @Test func `values are read by column name`() throws {
    let table = try CSVTable(Array("key,name\nK1, First \nK2,\"Second, and last\"\n".utf8))
    #expect(table.columns == ["key", "name"])
    #expect(table.records.map(\.line) == [2, 3])
    #expect(table.records.map { $0["name"] } == ["First", "Second, and last"])
    #expect(table.records[0]["absent"] == "")
  }

  @Test(arguments: [
    "\u{FEFF}key,name\r\nK1,First\r\n", "key;name\nK1;First", "key,name\rK1,First\r",
    "\n\nkey,name\n,\n\nK1,First\n\n", "\"key\" , \"name\"\n\"K1\",\"First\" \n",
    "key;\"name\"\n K1 ;First", "\u{FEFF}\"key\",name\nK1,First",
  ])
  func `separators, quotation marks, line ends and byte order marks of spreadsheets are understood`(
    _ file: String
  ) throws {
    let table = try CSVTable(Array(file.utf8))
    #expect(table.columns == ["key", "name"])
    #expect(table.records.count == 1)
    #expect(table.records[0]["key"] == "K1" && table.records[0]["name"] == "First")
  }

  @Test func `a decimal comma or a separator within quotation marks does not split a value`() throws
  {
    let table = try CSVTable(Array("key;\"a,b,c,d\"\nK1;53,9\n".utf8))
    #expect(table.columns == ["key", "a,b,c,d"])
    #expect(table.records[0]["a,b,c,d"] == "53,9")
  }

  @Test func `line breaks within a quoted value are kept and counted as lines`() throws {
    let table = try CSVTable(Array("key,about\r\nK1,\"one\r\ntwo \"\"three\"\"\"\r\nK2,x\r\n".utf8))
    #expect(table.records[0]["about"] == "one\ntwo \"three\"")
    #expect(table.records[1].line == 4)
  }

  @Test(arguments: [
    ("", 1, CSVFault.Reason.empty), ("\n \n", 1, .empty), ("a,a\n1,2", 1, .repeatedColumn("a")),
    ("a,\n1,2", 1, .unnamedColumn), ("a,b\n1,2\n1,2,3", 3, .count(3, expected: 2)),
    ("a,b\n1", 2, .count(1, expected: 2)), ("a,b\n1,\"2\n3\n", 2, .openQuote),
    ("a,b\n1,2\"3\"", 2, .strayQuote), ("a,b\n1,\"2\"3", 2, .strayQuote),
    ("a,b\n\"", 2, .openQuote),
  ])
  func `a malformed table is refused with the line and the reason`(
    _ file: String, _ line: Int, _ reason: CSVFault.Reason
  ) {
    #expect(throws: CSVFault.self) { try CSVTable(Array(file.utf8)) }
    do { _ = try CSVTable(Array(file.utf8)) } catch {
      #expect(error.line == line && error.reason == reason)
      #expect(error.description.hasPrefix("line \(line): "))
    }
  }

  @Test(arguments: [
    ("a,b\n", CSVFault.Reason.count(3, expected: 2)), ("", .tooManyColumns(200)),
  ])
  func `reading of a line stops one value after the number of columns`(
    _ beginning: String, _ reason: CSVFault.Reason
  ) {
    let commas = String(repeating: ",", count: 1_000_000)
    #expect {
      try CSVTable(Array("\(beginning)\(commas)\n1,2\n".utf8))
    } throws: { ($0 as? CSVFault)?.reason == reason }
  }

  @Test func `a wrong number of values is reported with the number of columns`() {
    let sentences = ["a,b\n1,2,3", "a,b\n1", "a\n1,2"].map { file in
      #expect(throws: CSVFault.self) { try CSVTable(Array(file.utf8)) }?.description
    }
    #expect(
      sentences == [
        "line 2: at least 3 values, but the first line names 2 columns: add or remove separators",
        "line 2: 1 value, but the first line names 2 columns: add or remove separators",
        "line 2: at least 2 values, but the first line names 1 column: add or remove separators",
      ])
  }

  @Test func `a record beyond the limit is refused with its line number`() throws {
    let file = Array("a,b\n1,2\n3,4\n".utf8)
    #expect(try CSVTable(file, limit: 2).records.map { $0["b"] } == ["2", "4"])
    do {
      _ = try CSVTable(file, limit: 1)
      Issue.record("it was read")
    } catch {
      #expect(error.line == 3 && error.reason == .tooManyRecords(1))
    }
  }

  /// Reads an export, none of whose lines has known names.
  private func export(_ file: String) throws -> CSVTable {
    try CSVTable(export: Array(file.utf8)) { _ in false }
  }

  @Test(arguments: [
    "wann\toben\tunten\n14.09.2024 06:20\t133,5\t79\n15.09.2024 06:25\t131\t78\n",
    "wann;oben;unten\n14.09.2024 06:20;133,5;79\n15.09.2024 06:25;131;78\n",
    "My readings\nwann;oben;unten\n14.09.2024 06:20;133,5;79\n15.09.2024 06:25;131;78\n",
    "My readings, all\nof 2024;;\n;;\nwann;oben;unten;\n14.09.2024 06:20;133,5;79\n15.09.2024 06:25;131;78",
    "sep=;\nwann;oben;unten\n14.09.2024 06:20;\"133,5\";79\n15.09.2024 06:25;131;78\n",
    "wann,oben,unten\n14.09.2024 06:20,\"133,5\",79\n15.09.2024 06:25,131,78\n",
  ])
  func `an export with unknown names has the separator that splits most lines alike`(
    _ file: String
  ) throws {
    let table = try export(file)
    #expect(table.columns.prefix(3) == ["wann", "oben", "unten"])
    let lines = table.records.map { record in (0..<3).map { record[$0] } }
    #expect(lines == [["14.09.2024 06:20", "133,5", "79"], ["15.09.2024 06:25", "131", "78"]])
  }

  @Test func `of two separators that split all lines, the one that is in no number counts`() throws
  {
    #expect(try export("14.09.2024;72,5\n15.09.2024;71,5\n").columns == ["14.09.2024", "72,5"])
    let dates = try export("Sep 14, 2024\t72.5\nSep 15, 2024\t71.5\n")
    #expect(dates.columns == ["Sep 14, 2024", "72.5"])
    let notes = try export("2024-09-14,133,79,a;b\n2024-09-15,131,78,a;b\n")
    #expect(notes.columns == ["2024-09-14", "133", "79", "a;b"])
  }

  @Test func `the first line of an export is also a record, as wide as those below it`() throws {
    let table = try export("14.09.2024;72,5;;\n15.09.2024;71,5;late;\n")
    #expect(table.columns == ["14.09.2024", "72,5", ""])
    #expect(table.heading.line == 1 && table.heading[1] == "72,5" && table.heading[2] == "")
    #expect(table.records.map { $0[2] } == ["late"])
  }

  @Test(arguments: ["a\nb\n", "a;\nb;\n", "a;;\n;b;\n"])
  func `an export whose lines have one value each loses none of them`(_ file: String) throws {
    let table = try export(file)
    #expect(table.heading[0] == "a" && table.preamble.isEmpty)
    #expect(table.records.count == 1 && table.records[0].line == 2)
  }

  @Test func `a sign that starts no formula gets no apostrophe`() {
    var table = CSVText(columns: ["a"])
    for value in ["1=1", "\u{AD}", "\u{FEFF}a=1", "’=1"] { table.append([value]) }
    #expect(!String(decoding: table.bytes, as: UTF8.self).contains("'"))
  }

  @Test(arguments: ["＝", "－", "\u{200B}=", "\u{FEFF}+", "\u{180E}-", "\u{AD}@", "\u{AD}\u{200B}＋"])
  func `a full-width formula, or one after invisible characters, gets an apostrophe`(_ sign: String)
  {
    let value = "\(sign)1+1"
    var table = CSVText(columns: ["a"])
    table.append([value])
    #expect(String(decoding: table.bytes, as: UTF8.self).hasSuffix("\r\n'\(value)\r\n"))
    #expect(CSVText.plain("'\(value)") == value)
  }

  @Test(arguments: ["=", "+", "-", "@", "\t", "\r"], ["", "\u{301}", "\u{200D}"])
  func `a cell that starts with a formula sign gets an apostrophe, even before an accent`(
    _ sign: String, _ mark: String
  ) {
    let value = "\(sign)\(mark)HYPERLINK(1)"
    var table = CSVText(columns: ["a"])
    table.append([value])
    let written = String(decoding: table.bytes, as: UTF8.self).split(separator: "\r\n")[1]
    #expect(written.contains("'\(value)"))
    #expect(CSVText.plain("'\(value)") == value)
  }

  @Test(arguments: ["'=1", "''=1", "'", "'tis", "''", "=1", "' =1", "'\u{200B}=1"])
  func `every value is read as it was before it was written`(_ value: String) throws {
    var table = CSVText(columns: ["a", "b"])
    table.append([value, "b"])
    let record = try #require(CSVTable(table.bytes).records.first)
    #expect(CSVText.plain(record[0]) == value)
  }

  @Test(arguments: [[0xFF, 0xFE], [0x31, 0x00]] as [[UInt8]])
  func `bytes that are not UTF-8, and U+0000, are refused with their line number`(_ end: [UInt8]) {
    let file = Array("a,b\n1,2\n".utf8) + [0x31, 0x2C] + end
    do {
      _ = try CSVTable(file)
      Issue.record("it was read")
    } catch {
      #expect(error.line == 3 && error.reason == .encoding)
    }
  }

  @Test func `any sequence of bytes is read or refused with a line number`() {
    var state: UInt64 = 7
    let alphabet = Array("a,;\"\n\r \t".utf8) + [0xEF, 0xBB, 0xBF, 0]
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      }
      do {
        let table = try CSVTable(bytes)
        #expect(table.records.allSatisfy { $0.line >= 1 })
      } catch {
        #expect(error.line >= 1)
      }
      do {
        let table = try CSVTable(export: bytes) { _ in false }
        #expect(table.records.allSatisfy { $0.line > table.heading.line })
      } catch {
        #expect(error.line >= 1)
      }
    }
  }
}
