import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The access to each route of each module, tested with each kind of visitor.
///
/// The modules list the routes, so a new route is tested without a change here. The test fails
/// until ``FilledPortal`` has a record for the route or ``AccessMatrix/unreached`` gives a reason.
@Suite struct AccessMatrixTests {
  @Test func `every route enforces its declared access and protects a patient's data`() throws {
    let matrix = try AccessMatrix()
    let before = try matrix.copyOfPatient()
    for route in matrix.filled.portal.routes {
      for path in matrix.paths(of: route) {
        for visitor in matrix.visitors {
          matrix.ask(visitor, route, path)
          matrix.askInCare(visitor, route, path)
        }
      }
    }
    matrix.askAsPrograms()
    #expect(matrix.broken == [])
    #expect(matrix.cells.count == matrix.cellCount)
    #expect(matrix.unseen == [], "no visitor was shown these pages")
    #expect(try matrix.copyOfPatient() == before, "somebody else has changed the patient's data")
    // The patient's own pages show the secret, so its absence elsewhere is significant.
    #expect(matrix.pagesWithSecret.count >= 15, "\(matrix.pagesWithSecret.sorted())")
  }

  @Test func `the matrix reports excess access, a data leak and an unknown parameter`() throws {
    let matrix = try AccessMatrix()
    let restricted = DeclaredRoute(
      path: "/contacts", access: .role(.doctor), open: [], methods: [.get])
    let stranger = try #require(matrix.visitors.first { $0.kind == .stranger })
    let other = try #require(matrix.visitors.first { $0.kind == .otherPatient })
    matrix.ask(other, restricted, "/contacts")
    #expect(matrix.broken.count == 1)
    matrix.search(matrix.filled.patient.get("/contacts/1"), for: stranger, "/contacts/1")
    #expect(matrix.broken.count == 2)
    let unknown = DeclaredRoute(
      path: "/contacts/{colour}", access: .signedIn, open: [], methods: [.get])
    #expect(matrix.paths(of: unknown) == [] && matrix.broken.count == 3)
  }
}
