import PolyclinicCore

/// The module of a list that each person keeps and nobody else can read.
public struct AllergiesModule: Module {
  public let id: ModuleID = "allergies"

  public init() {}

  public var title: Text { "list.title" }

  public var kind: Icon.Kind? { Icon.Kind("allergies", .document) }

  public var assets: [Page.Asset] {
    [
      Page.Asset(
        "allergies.css",
        PackageResources.allergies_css,
        for: .everyPage)
    ]
  }

  public var catalog: Catalog {
    Catalog(
      en: [PackageResources.allergies_en_json],
      ru: [PackageResources.allergies_ru_json],
      he: [PackageResources.allergies_he_json])
  }

  public var migrations: [Migration] {
    [Migration("0001-records", Allergy.records.schema)]
  }

  public var routes: [Route] {
    [
      .list("", Allergy.records, title: title, name: \.name),
      .create("new", Allergy.records, title: "new.title"),
      .edit("{id}/edit", Allergy.records, title: "edit.title"),
      .delete("{id}/delete", Allergy.records, cancel: "{id}/edit"),
    ]
  }

  public var links: [Link] {
    [Link(title, to: "", icon: .document, about: "list.about")]
  }

  public var records: [RecordKind] {
    [Allergy.records.kind("records", at: "{id}/edit")]
  }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.records", until: "privacy.until-deleted"),
      export: Allergy.records.export)
  }
}
