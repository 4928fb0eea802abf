import PolyclinicCore

@testable import PolyclinicWeb

/// A test module that prevents the erasure of doctors until they return a key.
struct KeeperModule: Module {
  var id: ModuleID = "keeper"
  var title: Text { "title" }

  var catalog: Catalog {
    let words = Array(
      #"{"title": "Keys", "first": "{name} has the key. Take it back first."}"#.utf8)
    return Catalog(en: [words], ru: [words], he: [words])
  }

  var personalData: PersonalData {
    PersonalData(
      export: { _, _ in },
      obstacle: { person, work in
        let isDoctor = try Account.find(person, on: work)?.roles.contains(.doctor) ?? false
        return isDoctor ? Text("first", ["name": "Doris"]) : nil
      })
  }
}
