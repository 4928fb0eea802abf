import PolyclinicCore
import PolyclinicWeb

/// A test module that prevents the erasure of doctors until they return a key.
package struct KeeperModule: Module {
  package var id: ModuleID = "keeper"
  package var title: Text { "title" }

  package init() {}

  package var catalog: Catalog {
    let words = Array(
      #"{"title": "Keys", "first": "{name} has the key. Take it back first."}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }

  package var personalData: PersonalData {
    PersonalData(
      export: { _, _ in },
      obstacle: { person, work in
        let isDoctor = try Account.find(person, on: work)?.roles.contains(.doctor) ?? false
        return isDoctor ? Text("first", ["name": "Doris"]) : nil
      })
  }
}
