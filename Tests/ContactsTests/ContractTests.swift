import Contacts
import PolyclinicTesting
import Testing

/// What every module promises, of this one.
@Suite struct ContractTests {
  @Test func `the module keeps its promises`() throws {
    let contract = ModuleContract(
      ContactsModule(), foreignTables: ["contact_details", "communication_methods"]
    ) { anna in
      let fields = ["name": "Vera", "method_type": "email", "method_value": "v@example.org"]
      _ = try anna.submit("/contacts/new", fields)
    }
    let broken = try contract.broken()
    #expect(broken == [])
  }
}
