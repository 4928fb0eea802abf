import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The number of statements of each page, on the data of the demonstration's town.
///
/// A page loads what it shows once, and what it shows of many together. One that loads something
/// for each row runs more statements the more data there is, and fails here.
@Suite struct StatementTests {
  /// The most statements of a page that has no limit of its own.
  private static let usual = 13

  /// The limits of pages with fewer statements, which most people open first, and of those that
  /// combine more, by the role and the path.
  private static let limits = [
    "patient /": 8, "doctor /": 16, "desk /": 14, "admin /": 19, "admin /admin": 16,
    // The form asks for the doctors among whom the patient chooses, and for their names.
    "patient /account/sharing/records": 16,
    "patient /account": 8, "patient /appointments": 5, "patient /contacts": 3,
    "patient /contacts/{id}": 2, "patient /appointments/clinics/map": 8,
    "doctor /appointments/day": 10, "doctor /appointments/queue": 17,
    "desk /appointments/desk": 17, "desk /appointments/{id}/again": 19,
    "patient /appointments/doctors": 9, "doctor /appointments/doctors": 9,
    "desk /appointments/doctors": 9, "admin /appointments/doctors": 9,
    // The clinic's doctors with their next free times, and the map around it.
    " /appointments/clinics/{id}": 16, "patient /appointments/clinics/{id}": 16,
    "doctor /appointments/clinics/{id}": 16, "desk /appointments/clinics/{id}": 16,
    "admin /appointments/clinics/{id}": 16,
    "doctor /appointments/{id}": 17, "doctor /appointments/{id}/reschedule": 16,
    "desk /appointments/{id}": 19, "desk /appointments/{id}/reschedule": 16,
    // Each doctor of the clinic with appointments ahead takes four statements.
    "admin /appointments/admin/clinics/{id}": 30,
    "admin /appointments/admin/clinics/{id}/outside": 27,
    "admin /appointments/admin/clinics/{id}/outside/move": 27,
    "admin /appointments/admin/clinics/{id}/outside/cancel": 27,
  ]

  /// The password of everybody in the demonstration.
  private static let password = "four kind otters rowing home"

  /// The files that open each record by itself.
  private static let files = [
    "/contacts/export.vcf", "/health-metrics/blood-pressure/export.csv",
    "/health-metrics/weights/export.csv",
  ]

  @Test func `no page runs more statements than its limit`() throws {
    let portal = try TestPortal(all: modules)
    try portal.demonstrate()
    var excessive: [String] = []
    for role in ["", "patient", "doctor", "desk", "admin"] {
      let visitor = portal.visitor()
      if !role.isEmpty {
        try #require(visitor.signIn(role, Self.password).status == 303)
      }
      for route in portal.routes
      where route.methods.contains(.get) && !Self.files.contains(route.path) {
        for path in Self.paths(of: route.path) {
          // The first request stores and logs what happens only once, such as a first look.
          guard visitor.get(path).status == 200 else { continue }
          let count = portal.statements { _ = visitor.get(path) }.count
          let limit = Self.limits["\(role) \(route.path)"] ?? Self.usual
          if count > limit {
            excessive.append("\(path) of \(role) runs \(count) statements, more than \(limit)")
          }
          break
        }
      }
    }
    #expect(excessive == [])
  }

  @Test func `a list of the API runs three statements at most beside the two of its token`() throws
  {
    let portal = try TestPortal(all: modules)
    try portal.demonstrate()
    let patient = portal.visitor()
    try #require(patient.signIn("patient", Self.password).status == 303)
    let scopes = modules.filter { !$0.resources.isEmpty }.map { ($0.id.rawValue, "read") }
    let token = try patient.makeToken(
      Dictionary(uniqueKeysWithValues: scopes), password: Self.password)
    let program = TestProgram(portal, token: token)
    for module in modules {
      for resource in module.resources {
        let path = "/api/v1/\(module.id)" + (resource.path.isEmpty ? "" : "/\(resource.path)")
        try #require(program.get(path).json()["items"]?.count ?? 0 > 1, "\(path)")
        let count = portal.statements { _ = program.get(path) }.count
        #expect(count <= 5, "\(path)")
      }
    }
  }

  /// A form that a patient sends twice, and the most statements of the second time.
  struct SentForm: Sendable {
    let first, second: String
    var fields: [String: String] = [:]
    let most: Int
  }

  private static let forms = [
    SentForm(
      first: "/contacts/1/edit", second: "/contacts/2/edit",
      fields: ["name": "Vera Orlova", "birthday": ""], most: 9),
    SentForm(
      first: "/contacts/new", second: "/contacts/new", fields: ["name": "Vera Orlova"], most: 8),
    // The first doctor has an open waiting list, in which a booking may move others.
    SentForm(
      first: "/appointments/book?doctor=1&date=2026-05-05&time=10:00",
      second: "/appointments/book?doctor=1&date=2026-05-06&time=11:00", most: 24),
    SentForm(
      first: "/appointments/book?doctor=2&date=2026-05-05&time=10:00",
      second: "/appointments/book?doctor=2&date=2026-05-06&time=11:00", most: 20),
  ]

  @Test(arguments: forms)
  func `no form that is sent runs more statements than its limit`(_ form: SentForm) throws {
    let portal = try TestPortal(all: modules)
    try portal.demonstrate()
    let patient = portal.visitor()
    try #require(patient.signIn("patient", Self.password).status == 303)
    // The first change of a person counts what the person has stored.
    try #require(patient.submit(form.first, form.fields).status == 303)
    let shown = portal.statements { _ = patient.get(form.second) }.count
    let all = try portal.statements {
      try #require(patient.submit(form.second, form.fields).status == 303)
    }.count
    #expect(all - shown <= form.most, "\(form.second)")
  }

  /// Returns the path with the numbers of the first records in place of a parameter.
  private static func paths(of route: String) -> [String] {
    guard route.contains("{") else { return [route] }
    return (1...12).map { route.replacing(/\{\w+\}/, with: "\($0)") }
  }
}
