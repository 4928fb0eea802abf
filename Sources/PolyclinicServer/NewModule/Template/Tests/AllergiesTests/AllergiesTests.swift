import Allergies
import PolyclinicTesting
import Testing

@Suite struct AllergiesTests {
  @Test func `the module keeps the contract of all modules`() throws {
    let contract = ModuleContract(AllergiesModule()) { anna in
      _ = try anna.submit("/allergies/new", ["name": "First entry"])
    }
    let broken = contract.broken()
    #expect(broken == [])
  }

  @Test func `a new entry is in the list of its owner only`() throws {
    let portal = try TestPortal(AllergiesModule())
    let anna = try portal.register()
    let boris = try portal.register()
    let saved = try anna.submit("/allergies/new", ["name": "First entry"])
    #expect(saved.leads(to: "/allergies"))
    #expect(anna.get("/allergies").hasRow("First entry"))
    #expect(boris.get("/allergies").isEmptyList())
    #expect(boris.get("/allergies/1/edit").status == 404)
  }
}
