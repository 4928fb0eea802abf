import PolyclinicCore

/// The module of an address book that only its owner can read.
public struct ContactsModule: Module {
  public let id: ModuleID = "contacts"

  public init() {}

  public var title: Text { "list.title" }

  public var kind: Icon.Kind? { Icon.Kind("contacts", .addressBook) }

  public var assets: [Page.Asset] {
    [Page.Asset("contacts.css", PackageResources.contacts_css, for: .everyPage), .addressBook]
  }

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

  public var migrations: [Migration] {
    [
      Migration(
        "0001-contacts", Contact.records.schema + [ContactCard.schema] + MergeMemory.schema)
    ]
  }

  public var guardianAccess: GuardianAccess { .nothing("contacts.guardians") }

  public var routes: [Route] {
    [
      ContactList.route, NewContact.route, ContactPage.route, EditContact.route,
      BirthdayRemoval.route,
      .delete(
        ContactPage.deletion.pattern, Contact.records, cancel: ContactPage.address.pattern,
        list: ContactList.path),
      DuplicatesPage.route, .post(DuplicatesPage.path, DuplicatesPage.keep),
      MergeComparison.route, .post(MergeComparison.address.pattern, MergeComparison.merge),
    ] + ContactCard.routes
  }

  public var resources: [Resource] {
    [
      Resource(
        Contact.records, called: "Contact",
        about: .init("The people in one's address book, and how to reach them."),
        check: { contact, context in
          do {
            try contact.check(besides: Contact(), on: context.today)
          } catch let problem as Refusal {
            // Only now, because hardly any contact has a problem.
            guard context.request.parameters["id"] != nil else { throw problem }
            try contact.check(besides: Contact.records.load(context), on: context.today)
          }
        })
    ]
  }

  public var links: [Link] {
    [
      Link(
        title, to: ContactList.path, icon: .addressBook, about: "list.about", isLast: true)
    ]
  }

  public var cards: [Card] { [Card("birthdays.title", reads: [Contact.index.head], Birthday.card)] }

  public var records: [RecordKind] {
    [Contact.records.kind("contacts", at: ContactPage.address.pattern, parts: [ContactCard.part])]
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
          try ContactCard.writeAll(at: nil, in: work, to: sink)
        }
      ])
  }
}
