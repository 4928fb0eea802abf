import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// Import of measurement files, from the upload to the list.
@Suite struct ImportTests {
  private let weights = "/health-metrics/weights/import"
  private let readings = "/health-metrics/blood-pressure/import"

  private func send(
    _ text: String, to path: String, by visitor: TestVisitor, _ options: [String: String] = [:]
  ) -> TestPage {
    visitor.upload(path, "file", Array(text.utf8), named: "file.csv", options)
  }

  /// Uploads a file and confirms the import.
  private func take(
    _ text: String, to path: String, by visitor: TestVisitor, _ options: [String: String] = [:]
  ) throws -> TestPage {
    let sent = send(text, to: path, by: visitor, options)
    try #require(sent.status == 303, "\(sent.body)")
    return try visitor.submit(sent.location, options)
  }

  @Test func `an exported file is a duplicate for its owner and new for another person`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let (anna, boris) = (try portal.register(), try portal.register())
    _ = try anna.weigh("160", ["unit": "lb", "measured_at": "2026-05-01T07:30", "note": "=1"])
    _ = try anna.measure(120, 80, ["pulse": "60", "arm": "left", "note": "calm, \"quiet\""])
    for (kind, path) in [("weights", weights), ("blood-pressure", readings)] {
      let file = anna.get("/health-metrics/\(kind)/export.csv").body
      #expect(anna.get(send(file, to: path, by: anna).location).contains("Here already"))
      #expect(try take(file, to: path, by: boris).location == "/health-metrics/\(kind)?imported=1")
      #expect(boris.get("/health-metrics/\(kind)/export.csv").body == file)
    }
  }

  @Test func `a file with one invalid line is not imported`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    let anna = try portal.register()
    let lines = (0..<9_000).map { "\(1_700_000_000_000 + $0 * 60_000),120,80" }
    let text = "timestampUnixMs,systolic,diastolic\n" + lines.joined(separator: "\n")
    let wrong = text.replacing("\(1_700_000_000_000 + 8_998 * 60_000),120", with: "x,120")
    let sent = send(wrong, to: readings, by: anna)
    let shown = anna.get(sent.location)
    #expect(shown.hasRow("Line 9,000") && !shown.hasButton("Import"))
    #expect(shown.hasNotice(.warning, "1 line of the file is wrong"))
    #expect(shown.hasNotice(.warning, "All other lines are fine."))
    #expect(try anna.submit(sent.location, [:]).status == 422)
    #expect(try portal.rowCounts()["health_metrics_pressures"] == 0)
  }

  @Test func `an export of blood-pressure-monitor-fl is imported`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = """
      timestampUnixMs,systolic,diastolic,pulse,notes,color,needlePin,intakes,bodyweight
      1703175193324,123,45,67,note1,4285132974,"{""color"":4285132974}",null(null),
      1703147206000,114,71,56,,null,"{""color"":null}",null(null),72.5
      1703147306000,null,null,null,only a note,null,"{""color"":null}",null(null),
      """
    let taken = try take(text, to: readings, by: anna)
    #expect(taken.location == "/health-metrics/blood-pressure?imported=2")
    let list = anna.get(taken.location)
    #expect(list.hasRow("123/45") && list.hasRow("114/71"))
    #expect([1, 2].contains { anna.get("/health-metrics/blood-pressure/\($0)").contains("note1") })
    #expect(list.hasNotice(.success, "2 readings were imported"))
    #expect(
      try take(text, to: weights, by: anna).location == "/health-metrics/weights?imported=1")
    #expect(anna.get("/health-metrics/weights").hasRow("72.5 kg"))
  }

  @Test func `openScale exports are imported, and a missing unit is asked for`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let old =
      "biceps,bone,comment,dateTime,fat,weight\n0.0,0.0,Old one,2019-03-01 07:30,20.1,80.4\n"
    #expect(try take(old, to: weights, by: anna).location == "/health-metrics/weights?imported=1")
    let new = "DATE,TIME,BMI,BODY_FAT,COMMENT,WEIGHT\n2025-03-01,07:30:12.123,25,20,,176.4\n"
    let asked = send(new, to: weights, by: anna)
    #expect(anna.get(asked.location).hasError(of: "unit"))
    _ = try anna.submit(asked.location, ["unit": "lb"])
    #expect(
      try anna.submit(asked.location, ["unit": "lb"]).location
        == "/health-metrics/weights?imported=1")
    let list = anna.get("/health-metrics/weights/export.csv")
    #expect(list.contains(",80.4,kg,Old one") && list.contains(",176.4,lb,"))
  }

  @Test func `a unit that a file does not name is asked for`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let asked = send("date,weight,unit\n2026-05-01,160,\n", to: weights, by: anna)
    #expect(anna.get(asked.location).hasError(of: "unit"))
    _ = try anna.submit(asked.location, ["unit": "lb"])
    _ = try anna.submit(asked.location, ["unit": "lb"])
    let said = "date,weight (lb),unit\n2026-05-02,161,\n2026-05-03,73,kg\n"
    _ = try take(said, to: weights, by: anna)
    let list = anna.get("/health-metrics/weights/export.csv")
    #expect(list.contains(",160,lb") && list.contains(",161,lb") && list.contains(",73,kg"))
  }

  @Test func `a line with today's date and no time is imported as midnight`() throws {
    let portal = try TestPortal(HealthMetricsModule())
    portal.now = Instant(1_777_860_000)
    let anna = try portal.register()
    let taken = try take("date,weight,unit\n2026-05-04,71.2,kg\n", to: weights, by: anna)
    #expect(taken.location == "/health-metrics/weights?imported=1")
    #expect(
      anna.get("/health-metrics/weights/export.csv").contains("2026-05-04T00:00:00+03:00,71.2"))
  }

  @Test func `decimal commas, other digits and ambiguous dates are imported`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "date;time;weight;unit\n01/04/2026;07:30;72,5;kg\n02/04/2026;7:30;٧٣٫٥;KG\n"
    let sent = send(text, to: weights, by: anna)
    #expect(anna.get(sent.location).hasError(of: "date_order"))
    _ = try anna.submit(sent.location, ["date_order": "day-first"])
    _ = try anna.submit(sent.location, ["date_order": "day-first"])
    let list = anna.get("/health-metrics/weights/export.csv")
    #expect(list.contains("2026-04-01T07:30:00") && list.contains("2026-04-02T07:30:00"))
    #expect(list.contains(",72.5,kg") && list.contains(",73.5,kg"))
  }

  @Test func `a year of two digits is read, and an unclear day and a future one are not guessed`()
    throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let clear = "date;weight\n05.03.26 08:10;71 kg\n5.4.26 8:10;72 kg\n"
    #expect(try take(clear, to: weights, by: anna).location.hasSuffix("?imported=2"))
    let sent = send("date,weight\n3/4/26 8:10 AM,73 kg\n", to: weights, by: anna)
    #expect(anna.get(sent.location).hasError(of: "date_order"))
    _ = try anna.submit(sent.location, ["date_order": "month-first"])
    _ = try anna.submit(sent.location, ["date_order": "month-first"])
    let list = anna.get("/health-metrics/weights/export.csv")
    for line in ["2026-03-05T08:10:00+03:00,71", "2026-04-05T08:10:00+03:00,72"] {
      #expect(list.contains(line))
    }
    #expect(list.contains("2026-03-04T08:10:00+03:00,73"))
    let future = send("date,weight\n25.12.26,73 kg\n", to: weights, by: anna)
    #expect(anna.get(future.location).hasRow("This time is in the future"))
    let unclear = send("date,weight\n05-03-26,73 kg\n", to: weights, by: anna)
    #expect(anna.get(unclear.location).hasRow("We do not understand the time “05-03-26”"))
  }

  @Test(arguments: [
    ("", "empty"), ("date,weight\n2026-01-01\n", "Line 2"),
    ("date,weight\n\"2026-01-01,72\n", "quotation mark"),
    (String(repeating: "a,", count: 201), "more than 200 columns"),
  ])
  func `a file that is no table is refused with the reason`(_ text: String, _ words: String) throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let answer = send(text, to: weights, by: anna)
    #expect(answer.refuses("file"))
    #expect(answer.contains(words))
  }

  @Test func `columns with unknown names are chosen beside the first lines of the file`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text =
      "wann;oben;unten;Herz;Puls\n14.09.2024 06:20;133;79;x;58\n15.09.2024 06:25;131;78;y;57\n"
    let sent = send(text, to: readings, by: anna)
    let asked = anna.get(sent.location)
    #expect(asked.status == 200 && !asked.hasButton("Import 2"))
    for field in ["column_date", "column_systolic", "column_diastolic"] {
      #expect(asked.hasError(of: field))
    }
    #expect(asked.contains(">wann</bdi>") && asked.contains(">14.09.2024 06:20</bdi>"))
    #expect(asked.contains("<option value=\"2\">oben</option>"))
    // The pulse is known by its name.
    #expect(asked.contains("<option value=\"5\" selected>Puls</option>"))
    let chosen = [
      "column_date": "1", "column_time": "", "column_systolic": "2", "column_diastolic": "3",
      "column_pulse": "5", "column_note": "",
    ]
    _ = try anna.submit(sent.location, chosen)
    let shown = anna.get(sent.location)
    #expect(shown.hasRow("133/79 mmHg") && shown.hasButton("Import 2 records"))
    #expect(shown.contains("Columns that are not imported:") && shown.contains("<bdi>Herz</bdi>"))
    let taken = try anna.submit(sent.location, chosen)
    #expect(taken.location == "/health-metrics/blood-pressure?imported=2")
    let list = anna.get("/health-metrics/blood-pressure/export.csv")
    #expect(list.contains("2024-09-15T06:25:00+03:00,131,78,57,,"))
  }

  @Test(arguments: [
    "wann\toben\tunten\n14.09.2024 06:20\t133\t79\n15.09.2024 06:25\t131\t78\n",
    "Meine Werte\n\nwann;oben;unten\n14.09.2024 06:20;133;79\n15.09.2024 06:25;131;78\n",
  ])
  func `columns with unknown names are chosen whatever separates them, and below a title`(
    _ text: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let sent = send(text, to: readings, by: anna)
    let asked = anna.get(sent.location)
    #expect(asked.hasError(of: "column_systolic") && !asked.contains("Meine Werte"))
    #expect(asked.contains("<option value=\"2\">oben</option>"))
    let chosen = ["column_date": "1", "column_systolic": "2", "column_diastolic": "3"]
    _ = try anna.submit(sent.location, chosen)
    #expect(try anna.submit(sent.location, chosen).location.hasSuffix("?imported=2"))
  }

  @Test(arguments: [
    ("05.03.2026 07:10;133;79;58\n06.03.2026 07:15;131;78;57\n", "05.03.2026 07:10"),
    ("3/5/26 7:10 AM\t133 mmHg\t79\tpulse\n3/25/26 7:15 AM\t131\t78\tpulse\n", "3/5/26 7:10 AM"),
  ])
  func `the first line of a file without names of columns is imported, too`(
    _ text: String, _ first: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let sent = send(text, to: readings, by: anna)
    let asked = anna.get(sent.location)
    #expect(asked.contains("<option value=\"1\">column 1 (\(first) …)</option>"))
    #expect(asked.contains("<td><bdi>\(first)</bdi></td>"))
    let chosen = ["column_date": "1", "column_systolic": "2", "column_diastolic": "3"]
    _ = try anna.submit(sent.location, chosen)
    let shown = anna.get(sent.location)
    #expect(shown.hasRow("133/79 mmHg") && shown.hasButton("Import 2 records"))
    #expect(shown.contains("<bdi>column 4 ("))
    #expect(try anna.submit(sent.location, chosen).location.hasSuffix("?imported=2"))
    let list = anna.get("/health-metrics/blood-pressure/export.csv")
    #expect(list.contains("2026-03-05T07:10:00+03:00,133,79,"))
  }

  @Test(arguments: ["05.03.2026 27:10;72,5 kg", "5 March;72,5 kg", "5 March;72,5"])
  func `a first line with values is refused instead of being lost as names of columns`(
    _ line: String
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let sent = send("\(line)\n06.03.2026 07:15;72 kg\n", to: weights, by: anna)
    _ = try anna.submit(
      sent.location, ["column_date": "1", "column_value": "2", "unit": "kg"])
    let shown = anna.get(sent.location)
    #expect(shown.hasSection("Cannot be imported 1") && shown.hasRow("Line 1"))
    #expect(!shown.hasButton("Import"))
  }

  @Test func `numbers in the names of columns do not make them values`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "Tag;Messung 1;Messung 2\n14.09.2024;133;79\n"
    let asked = anna.get(send(text, to: readings, by: anna).location)
    #expect(asked.contains("<option value=\"2\">Messung 1</option>"))
  }

  /// Returns a text in Windows-1251, Windows-1255 or Windows-1252, as far as it has only letters of
  /// one language.
  private func inCodePage(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
      case 0x5D0...0x5EA: UInt8(scalar.value - 0x5D0 + 0xE0)
      default: UInt8(truncatingIfNeeded: scalar.value)
      }
    }
  }

  @Test(arguments: [
    (
      Language.russian, "Дата;САД;ДАД;Заметка", "дома",
      "Файл прочитан в кодировке Windows-1251. Слова отображаются верно?"
    ),
    (.hebrew, "תאריך;סיסטולי;דיאסטולי;הערה", "בבית", "האם המילים נכונות?"),
    (
      .english, "Date;SYS;DIA;Notes", "café",
      "The file was read as Windows-1252. Are the words right?"
    ),
  ])
  func `a file in the code page of the reader's language is read, and the preview says so`(
    _ language: Language, _ names: String, _ note: String, _ question: String
  ) throws {
    let visitor = try TestPortal(HealthMetricsModule()).register(language: language)
    let file = inCodePage("\(names)\n05.03.2026;133;79;\(note)\n")
    let sent = visitor.upload(readings, "file", file, named: "file.csv", [:])
    try #require(sent.status == 303, "\(sent.body)")
    #expect(visitor.get(sent.location).hasNotice(.warning, question))
    #expect(try visitor.submit(sent.location, [:]).location.hasSuffix("?imported=1"))
    #expect(visitor.get("/health-metrics/blood-pressure/export.csv").contains(",133,79,,,\(note)"))
  }

  @Test(arguments: [true, false])
  func `a file in UTF-16 with a byte order mark is read without a question`(
    _ isBigEndian: Bool
  ) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "\u{FEFF}Дата\tСАД\tДАД\r\n05.03.2026\t133\t79\r\n"
    let file = text.utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
    let sent = anna.upload(readings, "file", file, named: "file.csv", [:])
    try #require(sent.status == 303, "\(sent.body)")
    #expect(!anna.get(sent.location).contains("Are the words right?"))
    #expect(try anna.submit(sent.location, [:]).location.hasSuffix("?imported=1"))
  }

  @Test(arguments: [[0x9D], [0x00], [0xFF, 0xFE, 0x00]] as [[UInt8]])
  func `a file in no encoding that is known is refused`(_ bytes: [UInt8]) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let file = bytes + Array("\ndate,weight\n2026-03-05,72 kg\n".utf8)
    let answer = anna.upload(weights, "file", file, named: "file.csv", [:])
    #expect(answer.refuses("file") && answer.contains("the text is not in UTF-8"))
  }

  @Test(arguments: [[0x50, 0x4B, 0x03, 0x04], [0xD0, 0xCF, 0x11, 0xE0]] as [[UInt8]])
  func `a file of Excel is refused with the advice to save it as CSV`(_ bytes: [UInt8]) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let answer = anna.upload(readings, "file", bytes + [0x14, 0, 6, 0], named: "file.xlsx", [:])
    #expect(answer.refuses("file") && answer.contains("This is an Excel file"))
  }

  @Test func `a wrong line names the field that is wrong`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "Date,SYS,DIA\n2024-09-14 06:20,,79\n2024-09-15 06:20,133,7000\n"
    let shown = anna.get(send(text, to: readings, by: anna).location)
    #expect(shown.hasRow("Systolic (upper): Fill in this field"))
    #expect(shown.hasRow("Diastolic (lower): "))
  }

  @Test func `the preview shows all that is stored`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "Date,SYS,DIA,Pulse,Arm,Notes\n2024-09-14 06:20,133,79,64,left,at rest\n"
    let shown = anna.get(send(text, to: readings, by: anna).location)
    #expect(shown.hasRow("pulse 64 · left arm · at rest"))
    let weight = "date,weight,note\n2024-09-14,72 kg,after a run\n"
    #expect(anna.get(send(weight, to: weights, by: anna).location).hasRow("after a run"))
  }

  @Test func `after an import of older readings the list shows their month`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    _ = try anna.measure(120, 80)
    let text = "Date,SYS,DIA\n2025-01-14 06:20,133,79\n2024-09-14 06:20,131,78\n"
    let taken = try take(text, to: readings, by: anna)
    #expect(taken.location == "/health-metrics/blood-pressure?month=2025-01&imported=2")
    let list = anna.get(taken.location)
    #expect(list.hasRow("133/79") && list.hasNotice(.success, "2 readings were imported"))
    let newer = "Date,SYS,DIA\n2026-05-03 06:20,134,79\n"
    #expect(
      try take(newer, to: readings, by: anna).location
        == "/health-metrics/blood-pressure?imported=1")
  }

  @Test func `one column with both values of a reading is chosen twice`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let sent = send("Tag;Messung\n14.09.2024;133/79\n", to: readings, by: anna)
    let chosen = ["column_date": "1", "column_systolic": "2", "column_diastolic": "2"]
    _ = try anna.submit(sent.location, chosen)
    #expect(try anna.submit(sent.location, chosen).location.hasSuffix("?imported=1"))
    #expect(anna.get("/health-metrics/blood-pressure").hasRow("133/79"))
  }

  @Test func `columns that cannot be chosen still count beside those that are`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "when,Time zone,kilos,Unit\n2024-09-14 06:20,Asia/Tokyo,179.5,lbs\n"
    let sent = send(text, to: weights, by: anna)
    let chosen = ["column_date": "1", "column_value": "3"]
    _ = try anna.submit(sent.location, chosen)
    _ = try anna.submit(sent.location, chosen)
    let list = anna.get("/health-metrics/weights/export.csv")
    #expect(list.contains("2024-09-14T06:20:00+09:00,179.5,lb,"))
  }

  @Test(arguments: ["0", "99", "-1", "-9223372036854775808", "x", "999999999999999999999"])
  func `a column that the file does not have is asked for again`(_ number: String) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let sent = send("a;b\n1;2\n", to: weights, by: anna)
    _ = try anna.submit(sent.location, ["column_date": "1", "column_value": number])
    #expect(anna.get(sent.location).hasError(of: "column_value"))
  }

  @Test func `columns that are not imported are named in the preview`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "Date,SYS,DIA,Symptoms,Medicine,Empty\n2024-09-14 06:20,133,79,dizzy,none,\n"
    let shown = anna.get(send(text, to: readings, by: anna).location)
    #expect(shown.contains("<bdi>Symptoms</bdi>, <bdi>Medicine</bdi></p>"))
    let whole = "Date,SYS,DIA\n2024-09-14 06:20,133,79\n"
    #expect(!anna.get(send(whole, to: readings, by: anna).location).contains("not imported"))
  }

  @Test(arguments: ["Person", "Name", "Пользователь", "משתמש", "User ID"])
  func `a file of two people asks whose measurements are imported`(_ heading: String) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = """
      \(heading),Date,Time,SYS,DIA
      Olga,2024-09-14,06:20,133,79
      Igor,2024-09-14,06:24,117,71
      Olga,2024-09-15,06:22,131,78
      """
    let sent = send(text, to: readings, by: anna)
    #expect(anna.get(sent.location).hasError(of: "measured_person"))
    #expect(try anna.submit(sent.location, [:]).status == 422)
    _ = try anna.submit(sent.location, ["measured_person": "1"])
    let shown = anna.get(sent.location)
    #expect(shown.hasRow("133/79") && !shown.hasRow("117/71"))
    #expect(
      try anna.submit(sent.location, ["measured_person": "1"]).location.hasSuffix("?imported=2"))
    let all = send(text, to: readings, by: anna)
    _ = try anna.submit(all.location, ["measured_person": "all"])
    #expect(
      try anna.submit(all.location, ["measured_person": "all"]).location.hasSuffix("?imported=1"))
  }

  @Test(arguments: [
    ("14.09.2024 26:20", "We do not understand the time “14.09.2024 26:20”"),
    ("2024-09-14 06:20 EST", "We do not understand the time “2024-09-14 06:20 EST”"),
    ("2024-09-14 7:15:nonsense", "“2024-09-14 7:15:nonsense”"), ("", "This line has no date"),
    ("30/02/2024", "There is no such time: “30/02/2024”"),
  ])
  func `a time that is not understood is shown as it is written`(_ time: String, _ words: String)
    throws
  {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let shown = anna.get(send("date,weight\n\(time),72 kg\n", to: weights, by: anna).location)
    #expect(shown.hasSection("Cannot be imported 1") && shown.hasRow(words), "\(shown.body)")
    #expect(shown.hasRow("72 kg"))
  }

  @Test(arguments: ["72 st", "72 kg lb", "7 2", "72,5,1", "½", "seventy"])
  func `a value that is not understood is shown as it is written`(_ value: String) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "date,weight,unit\n2024-09-14,\"\(value)\",kg\n"
    let shown = anna.get(send(text, to: weights, by: anna).location)
    #expect(shown.hasRow("We do not understand the value “\(value)”"))
  }

  @Test(arguments: [
    "133/79/58", "133", "133-79", "133 over 79", "133/79 kPa", "130.5/80", "a/b",
  ])
  func `a joined reading with anything else is refused`(_ value: String) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let shown = anna.get(send("date,bp\n2024-09-14,\(value)\n", to: readings, by: anna).location)
    #expect(shown.hasSection("Cannot be imported 1") && shown.hasRow(value))
  }

  @Test func `a weight is rounded once, so that each page shows the same value`() throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "date,weight\n2024-09-14 06:20,64.1749 kg\n2024-09-15 06:20,64.17451 kg\n"
    let preview = send(text, to: weights, by: anna)
    #expect(anna.get(preview.location).hasRow("64.17 kg"))
    _ = try anna.submit(preview.location, [:])
    let list = anna.get("/health-metrics/weights")
    #expect(list.contains("64.17 kg") && !list.contains("64.18 kg"))
    #expect(anna.get("/health-metrics/weights/1").contains("64.17 kg"))
    #expect(anna.get("/health-metrics/weights/export.csv").contains(",64.1749,kg"))
  }

  @Test(arguments: ["1e309", "NaN", "-5", "7000"])
  func `a value that the form refuses is refused in a file`(_ value: String) throws {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let text = "measured_at,value,unit\n2026-05-01T07:30:00+03:00,\(value),kg\n"
    #expect(anna.get(send(text, to: weights, by: anna).location).hasSection("Cannot be imported 1"))
    let future = "measured_at,value,unit\n2027-05-01T07:30:00+03:00,72,kg\n"
    let shown = anna.get(send(future, to: weights, by: anna).location)
    #expect(shown.hasRow("This time is in the future"))
  }
}
