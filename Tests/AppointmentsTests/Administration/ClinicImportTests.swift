import PolyclinicCore
import PolyclinicFormats
import PolyclinicTesting
import Testing

@testable import Appointments

/// The import of clinics from a CSV file.
@Suite struct ClinicImportTests {
  private static let header =
    "key;name_en;country;city;street;house_number;latitude;longitude;time_zone;pediatric;specializations"
  private static let file = """
    \(header)
    north;North Clinic;BY;Minsk;Main Street;1;53,9;27,5;Europe/Minsk;yes;cardiology surgery
    south;"South; ""old"" Clinic";il;Haifa;Ha-Gefen;12a;;;Asia/Jerusalem;no;

    """

  private func read(_ file: String, _ portal: TestPortal) throws -> ClinicImport {
    try portal.read { try ClinicImport(CSVTable(Array(file.utf8)), in: $0) }
  }

  private func store(_ file: String, _ portal: TestPortal) throws {
    try portal.write { connection in
      let clinics = try ClinicImport(CSVTable(Array(file.utf8)), in: connection)
      try #require(clinics.problems == [])
      try clinics.store(in: connection)
    }
  }

  @Test func `an import creates clinics with their departments`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try store(Self.file, portal)
    let admin = try portal.administrator()
    let north = admin.get("/appointments/admin/clinics/1")
    #expect(north.heading == "North Clinic" && north.fact("Coordinates") == "53.9, 27.5")
    #expect(north.hasRow("Cardiology") && north.hasRow("Surgery"))
    let south = admin.get("/appointments/admin/clinics/2")
    #expect(south.contains("South; &quot;old&quot; Clinic") && south.hasFact("Israel"))
    #expect(!south.contains("For children"))
  }

  @Test func `an import stores e-mail addresses and websites, and refuses invalid ones`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try store(Self.file, portal)
    try store("key,email,website\nnorth,a@north.example,north.example\n", portal)
    let page = try portal.administrator().get("/appointments/admin/clinics/1")
    #expect(page.fact("E-mail") == "a@north.example" && page.fact("Website") == "north.example")
    let wrong = try read("key,email,website\nnorth,nobody,javascript:x\n", portal)
    #expect(wrong.problems.map(\.problem.field) == ["email", "website"])
  }

  @Test func `a second import of the same file changes nothing`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try store(Self.file, portal)
    let again = try read(Self.file, portal)
    #expect(again.entries.count == 2)
    #expect(again.entries.allSatisfy { $0.stored != nil && !$0.isChanged })
    #expect(again.entries.allSatisfy { $0.newDepartments.isEmpty })
    try store(Self.file, portal)
    #expect(try portal.count("SELECT count(*) FROM appointments_clinics") == 2)
    #expect(try portal.count("SELECT count(*) FROM appointments_departments") == 2)
  }

  @Test func `a later import changes the columns in its file and keeps the others`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try store(Self.file, portal)
    try store("key,phone,specializations\nnorth,+375 17 1,urology\n", portal)
    let page = try portal.administrator().get("/appointments/admin/clinics/1")
    for text in ["North Clinic", "+375 17 1", "Cardiology", "Urology", "For children"] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func `an import does not reopen a closed department`() throws {
    let portal = try TestPortal(AppointmentsModule())
    try store(Self.file, portal)
    let admin = try portal.administrator()
    _ = try admin.submit("/appointments/admin/departments/1/close", [:])
    try store(Self.file, portal)
    #expect(admin.get("/appointments/admin/departments/1").hasNotice(.warning, "Closed since"))
  }

  @Test(arguments: [
    ("x;A;BY;Minsk;S;1;91;0;UTC;no;", "latitude"), ("x;A;BY;Minsk;S;1;1;181;UTC;no;", "longitude"),
    ("x;A;BY;Minsk;S;1;NaN;0;UTC;no;", "latitude"), ("x;A;BY;Minsk;S;1;5;;UTC;no;", "longitude"),
    ("x;A;BY;Minsk;S;1;;;Mars/X;no;", "time_zone"), ("x;;BY;Minsk;S;1;;;UTC;no;", "name_en"),
    ("x;A;XX;Minsk;S;1;;;UTC;no;", "country"), ("x;A;BY;;S;1;;;UTC;no;", "city"),
    ("x;A;BY;Minsk;S;1;;;UTC;maybe;", "pediatric"),
    ("x;A;BY;Minsk;S;1;;;UTC;no;alchemy", "specializations"), (";A;BY;Minsk;S;1;;;UTC;no;", "key"),
    ("north;A;BY;Minsk;S;1;;;UTC;no;", "key"),
    ("\(String(repeating: "k", count: 65));A;BY;Minsk;S;1;;;UTC;no;", "key"),
  ])
  func `an invalid line is reported with its number and column`(
    _ line: String, _ column: String
  ) throws {
    let portal = try TestPortal(AppointmentsModule())
    let clinics = try read(Self.file + line + "\n", portal)
    #expect(clinics.problems.map(\.line) == [4])
    #expect(clinics.problems.map(\.problem.field) == [column])
  }

  @Test func `all invalid lines are reported at once`() throws {
    let portal = try TestPortal(AppointmentsModule())
    let clinics = try read(
      "\(Self.header)\na;A;BY;Minsk;S;1;91;181;UTC;no;\nb;;BY;;S;1;;;UTC;no;alchemy\n", portal)
    #expect(clinics.problems.map(\.line) == [2, 2, 3, 3])
  }

  @Test func `an unknown column and a missing key column are reported`() throws {
    let portal = try TestPortal(AppointmentsModule())
    #expect(try read("key;nmae_en\n", portal).problems.map(\.problem.field) == ["nmae_en"])
    #expect(try read("name_en\nX\n", portal).problems.map(\.problem.field) == ["key"])
  }
}
