import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// Who may see what: each route of each module, asked for by each kind of visitor.
///
/// The routes are those that the modules list, so a new one is asked for without a change here. It fails
/// here until ``FilledPortal`` has a record that it shows, or ``AccessMatrix/unreached`` says why it has none.
@Suite struct AccessMatrixTests {
  @Test
  func `every route lets in whom its access names, and shows a patient's data to nobody else`()
    throws
  {
    let matrix = try AccessMatrix()
    let before = try matrix.copyOfPatient()
    for route in matrix.filled.portal.routes {
      for path in matrix.paths(of: route) {
        for visitor in matrix.visitors { matrix.ask(visitor, route, path) }
      }
    }
    try matrix.askAsPrograms()
    #expect(matrix.broken == [])
    #expect(matrix.unseen == [], "no visitor was shown these pages")
    #expect(try matrix.copyOfPatient() == before, "somebody else has changed the patient's data")
    // The patient reads the marks, so that their absence elsewhere means something.
    #expect(matrix.pagesWithSecret.count >= 15, "\(matrix.pagesWithSecret.sorted())")
  }

  @Test func `a route that lets in too many is found`() throws {
    let matrix = try AccessMatrix()
    let restricted = DeclaredRoute(
      path: "/contacts", access: .role(.doctor), isOpen: false, methods: [.get])
    let stranger = try #require(matrix.visitors.first { $0.kind == .stranger })
    let other = try #require(matrix.visitors.first { $0.kind == .otherPatient })
    matrix.ask(other, restricted, "/contacts")
    #expect(matrix.broken.count == 1)
    matrix.search(matrix.filled.patient.get("/contacts/1"), for: stranger, "/contacts/1")
    #expect(matrix.broken.count == 2)
    let unknown = DeclaredRoute(
      path: "/contacts/{colour}", access: .signedIn, isOpen: false, methods: [.get])
    #expect(matrix.paths(of: unknown) == [] && matrix.broken.count == 3)
  }
}
