import PolyclinicCore

/// The module of an address book that only its owner can read.
public struct ContactsModule: Module {
  public let id: ModuleID = "contacts"

  public init() {}

  public var title: Text { "list.title" }

  public var kind: Icon.Kind? { Icon.Kind("contacts", .people) }

  public var catalog: Catalog {
    Catalog(
      en: [
        PackageResources.list_en_json, PackageResources.form_en_json,
        PackageResources.cards_en_json,
      ],
      ru: [
        PackageResources.list_ru_json, PackageResources.form_ru_json,
        PackageResources.cards_ru_json,
      ],
      he: [
        PackageResources.list_he_json, PackageResources.form_he_json,
        PackageResources.cards_he_json,
      ])
  }

  public var migrations: [Migration] { [Migration("0001-contacts", Contact.schema)] }

  public var routes: [Route] {
    [
      .get("", ContactPages.list),
      .form(
        "new", Contact.form, title: "new.title", cancel: "", prepare: ContactPages.check,
        save: ContactPages.create
      ).saying("contact.saved"),
      .get("{id}", ContactPages.show),
      .edit(
        "{id}/edit", Contact.records, title: "edit.title", list: "{id}",
        about: YearlessBirthday.about, prepare: ContactPages.check
      ).saying("contact.saved"),
      .confirm(
        "{id}/birthday/delete", title: "yearless.delete.title", question: YearlessBirthday.question,
        yes: "delete.yes", cancel: "{id}/edit", save: YearlessBirthday.remove
      ).saying("contact.saved"),
      .delete("{id}/delete", Contact.records, cancel: "{id}"),
    ] + CardRoutes.all + MergePages.routes
  }

  public var resources: [Resource] {
    [
      Resource(
        Contact.records, called: "Contact",
        about: .init("The people in one's address book, and how to reach them."),
        check: ContactPages.check)
    ]
  }

  public var links: [Link] {
    [
      Link(
        title, to: "", icon: .people, about: "list.about", actions: [Link("list.new", to: "new")])
    ]
  }

  public var cards: [Card] { [Card("birthdays.title", Birthday.card)] }

  public var records: [RecordKind] {
    [Contact.records.kind("contacts", at: "{id}", parts: [ContactCard.part])]
  }

  public var trash: Trash? { Contact.trash }

  public var personalData: PersonalData {
    PersonalData(
      .sealed("privacy.contacts", until: "privacy.until-deleted"),
      .sealed("privacy.cards", until: "privacy.until-deleted"),
      impersonal: ["contacts_merges": "numbers of contacts, and a sealed value"],
      export: Contact.records.export,
      files: [
        ExportFile("contacts.vcf") { work, sink in
          try CardExport.write(at: nil, in: work, to: sink)
        }
      ])
  }
}
