import PolyclinicCore

/// A minimal module that has only a title.
package struct Diary: Module {
  package let id: ModuleID = "diary"
  package var title: Text { "title" }
  package var catalog: Catalog { Catalog(en: [words], ru: [words], he: [words]) }
  package var personalData: PersonalData { .none }
  package let checks: [HealthCheck]

  package init(checks: [HealthCheck] = []) { self.checks = checks }

  private var words: [UInt8] { Array(#"{"title": "Diary"}"#.utf8) }
}
