import PolyclinicTesting
import Testing

@testable import HealthMetrics

/// Files as other programs export them, from the upload to the portal's own export.
@Suite struct ExportedFileTests {
  private let weights = "/health-metrics/weights"
  private let readings = "/health-metrics/blood-pressure"

  /// Imports a file and returns the lines of the portal's export.
  private func imported(_ text: String, to path: String) throws -> [String] {
    let anna = try TestPortal(HealthMetricsModule()).register()
    let sent = anna.upload("\(path)/import", "file", Array(text.utf8), named: "file.csv", [:])
    try #require(sent.status == 303, "\(sent.body)")
    let taken = try anna.submit(sent.location, [:])
    try #require(taken.status == 303, "\(anna.get(sent.location).body)")
    let lines = anna.get("\(path)/export.csv").body.split(separator: "\r\n").dropFirst()
    return lines.map(String.init)
  }

  @Test(arguments: [
    // OMRON connect, in its three forms and in Swedish
    "Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Symptoms,Notes\n14 Sep 2024,06:20,133,79,58,,late",
    "Measurement Date,Timezone,SYS(mmHg),DIA(mmHg),Pulse(bpm),Irregular heartbeat,Note\n2024/09/14 06:20,Europe/Minsk,133,79,58,0,late",
    "\u{FEFF}Datum,Tid,Systoliskt (mmHg),Diastoliskt (mmHg),Puls (bpm),Anteckningar\n14 september 2024,06:20,133,79,58,late",
    // Withings
    "Date,\"Heart rate\",Systolic,Diastolic,Comments\n\"2024-09-14 06:20:12\",58,133,79,late",
    // Medisana
    "\"Datum - Uhrzeit\";\"Systole\";\"Diastole\";\"Puls\";\"Notiz\"\n\"14.09.2024 - 6:20\";\"133 mmHg\";\"79 mmHg\";\"58 bpm\";\"late\"",
    // Beurer
    "Date;Time;SYS;DIA;Pulse;Comment\n14.09.2024;06:20;133;79;58;late\n",
    // Samsung Health: a line about the file, times in UTC, and a comma behind each line
    """
    com.samsung.shealth.blood_pressure,6312,4
    com.samsung.health.blood_pressure.start_time,com.samsung.health.blood_pressure.time_offset,\
    com.samsung.health.blood_pressure.systolic,com.samsung.health.blood_pressure.diastolic,\
    com.samsung.health.blood_pressure.pulse,com.samsung.health.blood_pressure.comment
    2024-09-14 03:20:12.000,UTC+0300,133.0,79.0,58,late,
    """,
    // Blood Pressure Monitor FL
    "formattedTimestamp,systolic,diastolic,pulse,notes,color\r\n2024-09-14 06:20:00,133,79,58,late,\r\n",
    "timestampUnixMs,systolic,diastolic,pulse,notes\n1726284003000,133,79,58,late",
    // iHealth
    "Date,Time,SYS(mmHg),DIA(mmHg),Pulse(Beats/Min),Note\n\"Sep 14, 2024\",6:20 AM,133,79,58,late",
    // AM or PM in a column of its own, under any name
    "Date,Time,AM/PM,SYS,DIA,Pulse,Note\n9/14/2024,6:20,am,133,79,58,late",
    "Date,SYS,DIA,Pulse,Note,Half\n9/14/2024 6:20,133,79,58,late,A.M.",
    // Tables of people
    "Дата;Время;САД, мм рт. ст.;ДАД, мм рт. ст.;Пульс, уд/мин;Примечание\n14.09.2024;6:20;133;79;58;late",
    "Дата и время;АД;ЧСС;Комментарий\n14 сентября 2024 г., 06:20;133/79;58;late",
    "תאריך;שעה;סיסטולי;דיאסטולי;דופק;הערות\n14.9.2024;6:20;133;79;58;late",
    "Fecha;Hora;Sistólica;Diastólica;Pulso;Nota\n14/9/2024;6:20;133;79;58;late",
    "date\ttime\tBP (mmHg)\tHR\tremarks\n2024-09-14\t06.20.31\t133 / 79 mmHg\t58.0\tlate",
    "Time (UTC),sys.,dia.,pul.,memo\n2024-09-14 03:20,133,79,58,late",
  ])
  func `readings are imported from exports`(_ text: String) throws {
    let lines = try imported(text, to: readings)
    #expect(lines == ["2024-09-14T06:20:00+03:00,133,79,58,,late"], "\(text)")
  }

  @Test(arguments: [
    "Date,\"Weight (kg)\",\"Fat mass (kg)\",Comments\n\"2024-09-14 06:20:12\",81.4,12.3,late",
    "#Version: 6\n#Units: kg\n\n#date;weight;weight trend;body fat;log\n2024-09-14T03:20:09.000Z;81.4;81.2;;late\n",
    "com.samsung.health.weight,6311,10\nstart_time,weight_unit,weight,time_offset,comment\n2024-09-14 03:20:12.000,kg,81.4,UTC+0300,late,\n",
    "\"DATE\",\"TIME\",\"WEIGHT\",\"UNIT\",\"COMMENT\"\n\"2024-09-14\",\"06:20:31.5\",\"81.4\",\"kg\",\"late\"",
    "Datum;Uhrzeit;Gewicht;Bemerkung\n14.09.2024;06:20;81,4 kg;late",
    "Дата;Время;Вес, кг;Заметка\n14.09.2024;06:20;81,4;late",
    "תאריך,שעה,\"משקל (ק״ג)\",הערה\n14.9.2024,6:20,81.4,late",
    "sep=;\nmeasured on;body weight kg;note\n14-Sep-2024 6:20;81,4;late",
  ])
  func `weights are imported from exports`(_ text: String) throws {
    let lines = try imported(text, to: weights)
    #expect(lines == ["2024-09-14T06:20:00+03:00,81.4,kg,late"], "\(text)")
  }

  @Test(arguments: [
    ("#Units: lbs\n#date;weight;log\n2024-09-14T03:20:09.000Z;179.5;\n", "179.5,lb"),
    ("Date,Weight (lbs)\n2024-09-14 06:20,179.5\n", "179.5,lb"),
    ("Date,Weight\n2024-09-14 06:20,179.5 lb\n", "179.5,lb"),
    ("Date,Weight kg\n2024-09-14 06:20,\"81,40\"\n", "81.4,kg"),
    ("Date,Weight (st),Weight (kg)\n2024-09-14 06:20,12,81.4\n", "81.4,kg"),
  ])
  func `the unit is taken from wherever the file says it`(_ text: String, _ expected: String) throws
  {
    #expect(
      try imported(text, to: weights) == ["2024-09-14T06:20:00+03:00,\(expected),"], "\(text)")
  }

  @Test(arguments: ["-", "–", "", "null", "0", "n/a", "0.0"])
  func `a pulse that was not measured stays empty`(_ pulse: String) throws {
    let text = "date,time,systolic,diastolic,pulse\n2024-09-14,06:20,133.0,79.0,\(pulse)\n"
    #expect(try imported(text, to: readings) == ["2024-09-14T06:20:00+03:00,133,79,,,"])
  }

  @Test func `the arm is read in the words of several languages, and another word is named`() throws
  {
    let text =
      "date,sys,dia,arm\n2024-09-14 06:20,133,79,Links\n2024-09-14 06:21,134,79,Правая рука\n"
    #expect(
      try imported(text, to: readings) == [
        "2024-09-14T06:20:00+03:00,133,79,,left,", "2024-09-14T06:21:00+03:00,134,79,,right,",
      ])
    let anna = try TestPortal(HealthMetricsModule()).register()
    let wrist = "date,sys,dia,arm\n2024-09-14 06:20,133,79,Wrist\n"
    let sent = anna.upload("\(readings)/import", "file", Array(wrist.utf8), named: "file.csv", [:])
    #expect(anna.get(sent.location).hasRow("The arm “Wrist” is not imported"))
  }
}
