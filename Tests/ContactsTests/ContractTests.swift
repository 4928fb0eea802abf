import Contacts
import PolyclinicTesting
import Testing

/// The contract of every module, checked for this one.
@Suite struct ContractTests {
  @Test func `the module fulfils the module contract`() throws {
    let contract = ModuleContract(ContactsModule()) { anna in
      let fields = ["name": "Vera", "method_type": "email", "method_value": "v@example.org"]
      _ = try anna.submit("/contacts/new", fields)
    }
    let broken = contract.broken()
    #expect(broken == [])
  }
}
