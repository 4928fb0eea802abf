import PolyclinicCore

/// The medicines that a person takes, and when.
public struct MedicationsModule: Module {
  public let id: ModuleID = "medications"

  public init() {}

  public var title: Text { "list.title" }

  public var catalog: Catalog {
    Catalog(
      en: [PackageResources.medications_en_json], ru: [PackageResources.medications_ru_json],
      he: [PackageResources.medications_he_json])
  }

  public var migrations: [Migration] {
    [
      Migration("0001-medications", Medication.records.schema),
      Migration("0002-last-day", "ALTER TABLE medications ADD COLUMN last_day TEXT"),
      Migration("0003-doses", Dose.rows.schema),
    ]
  }

  public var routes: [Route] {
    [
      .get("", list),
      .create("new", Medication.records, title: "new.title"),
      .get("export.csv", export),
      .get("{id}", show),
      .edit("{id}/edit", Medication.records, title: "edit.title"),
      .delete("{id}/delete", Medication.records, cancel: "{id}"),
      NewDose.route,
    ]
  }

  public var links: [Link] {
    [Link(title, to: "", icon: .clock, about: "list.about", actions: [Link("list.new", to: "new")])]
  }

  public var cards: [Card] { [Card("today.title", page: "/medications", today)] }

  public var records: [RecordKind] {
    [Medication.records.kind("medications", at: "{id}", parts: [Dose.rows.part])]
  }

  public var resources: [Resource] {
    [
      Resource(
        Medication.records, called: "Medication", about: .init("The medicines of a person."))
    ]
  }

  public var settings: [Setting] { [Setting("remind_days", .integer(1...30), default: 3)] }

  public var jobs: [Job] { [Job("remind", remind)] }

  public var noticeKinds: [Notice.Kind] { [.ending] }

  public var commands: [Command] {
    [
      Command(
        "count", "Prints the number of medicines.",
        .flag("deleted", "Counts deleted ones too."), run: count)
    ]
  }

  public var offers: [Offer] { [Offer((any CurrentMedication).self, MedicationList())] }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.medications", until: "privacy.until-deleted"),
      .plain(
        "privacy.last-day", until: "privacy.until-deleted", columns: ["medications.last_day"]),
      export: Medication.records.export,
      files: [ExportFile("medications.csv", MedicationFile.write)])
      + PersonalData(
        .sealed("privacy.doses", until: "privacy.until-deleted"), export: Dose.rows.export)
  }
}
