import PolyclinicCore
import PolyclinicWeb

/// The administration of people, roles and modules, with its audit log.
package struct AdministrationModule: Module {
  package let id: ModuleID = "admin"
  package let moduleSwitch: any ModuleSwitch
  package let files: InstallationFiles
  package var title: Text { "admin.title" }
  package var catalog: Catalog { .administration }
  package var migrations: [Migration] { [AuditEntry.migration] }

  package init(_ moduleSwitch: any ModuleSwitch, _ files: InstallationFiles) {
    self.moduleSwitch = moduleSwitch
    self.files = files
  }

  package var links: [Link] {
    [
      Link(
        title, to: "", access: Self.access, icon: .gear, about: "admin.about",
        landing: .administrator)
    ]
  }

  package var noticeKinds: [Notice.Kind] { [.rights] }

  package var routes: [Route] {
    let access = Self.access
    let modules = ModulePages(moduleSwitch: moduleSwitch)
    let erasure = PersonErasure(files: files)
    return [
      .get("", access: access, OverviewPage(files: files).show),
      .get("people", access: access, PeoplePages.list),
      .get("people/{id}", access: access, PeoplePages.show),
      .post("people/{id}/approve", access: access, PersonActions.approve),
      .post("people/{id}/decline", access: access, PersonActions.decline),
      .confirm(
        "people/{id}/give", title: "person.give.title", question: PersonActions.giveQuestion,
        yes: "person.role.give", cancel: "people/{id}", access: access, save: PersonActions.give
      ).keeping("role"),
      .confirm(
        "people/{id}/take", title: "person.take.title", question: PersonActions.takeQuestion,
        yes: "person.take.yes", cancel: "people/{id}", access: access, save: PersonActions.take
      ).keeping("role"),
      .confirm(
        "people/{id}/suspend", title: "person.suspend.title",
        question: PersonActions.suspendQuestion, yes: "person.suspend.yes",
        cancel: "people/{id}", access: access, save: PersonActions.suspend),
      .post("people/{id}/reinstate", access: access, PersonActions.reinstate),
      .post("people/{id}/link", access: access, PersonActions.makeLink),
      .post(
        "people/{id}/second-factor-link", access: access, PersonActions.makeSecondFactorLink),
      .post("people/{id}/invite", access: access, PersonActions.invite),
      .get("people/{id}/erase", access: access, erasure.ask),
      .post("people/{id}/erase", access: access, erasure.erase),
      .get("modules", access: access, modules.list),
      .get("modules/{id}/enable", access: access) { try modules.ask(true, $0) },
      .get("modules/{id}/disable", access: access) { try modules.ask(false, $0) },
      .post("modules/{id}/enable", access: access, modules.enable),
      .post("modules/{id}/disable", access: access, modules.disable),
      .get("audit", access: access, AuditPage.show),
    ]
  }

  package var personalData: PersonalData {
    PersonalData(
      .plain("privacy.audit", until: "privacy.audit.until", columns: ["audit"]), export: export)
  }

  package static let access = Access.role(.administrator)

  /// Exports the administrators' changes to the person's account. The access log, not this list,
  /// names the administrators.
  private func export(_ keys: Keys, _ connection: Connection, _ copy: JSON.Writer) throws {
    for entry in try AuditEntry.about(keys.person, on: connection) {
      try copy.append([
        "at": .string(entry.at.timestamp), "action": .string(entry.action.rawValue),
        "role": entry.role.map { .string($0.rawValue) } ?? .null,
      ])
    }
  }
}

extension Catalog {
  package static let administration = Catalog(
    en: [
      PackageResources.admin_en_json, PackageResources.person_en_json,
      PackageResources.state_en_json,
    ],
    ru: [
      PackageResources.admin_ru_json, PackageResources.person_ru_json,
      PackageResources.state_ru_json,
    ],
    he: [
      PackageResources.admin_he_json, PackageResources.person_he_json,
      PackageResources.state_he_json,
    ])
}

extension Notice.Kind {
  /// The notices about an approved or declined role and about changes to the account.
  static let rights = Notice.Kind("rights", "told.rights")
}
