import PolyclinicCore
import PolyclinicWeb

/// The administration of people, roles and modules, with its audit log.
package struct AdministrationModule: Module {
  package let id: ModuleID = "admin"
  let server: ServerReference
  package let moduleSwitch: any ModuleSwitch
  package let files: InstallationFiles
  package var title: Text { "admin.title" }
  package var catalog: Catalog { .administration }
  package var migrations: [Migration] { [AuditEntry.migration] }

  package init(
    _ server: ServerReference, _ moduleSwitch: any ModuleSwitch, _ files: InstallationFiles
  ) {
    self.server = server
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
    let actions = PersonActions(server: server)
    let modules = ModulePages(server: server, moduleSwitch: moduleSwitch)
    let erasure = PersonErasure(server: server, files: files)
    return [
      .get("", access: access, OverviewPage(server: server, files: files).show),
      .get("people", access: access) { try PeoplePages.list($0, server().vault) },
      .get("people/{id}", access: access) { try PeoplePages.show($0, server()) },
      .post("people/{id}/approve", access: access, actions.approve),
      .post("people/{id}/decline", access: access, actions.decline),
      .confirm(
        "people/{id}/give", title: "person.give.title", question: actions.giveQuestion,
        yes: "person.role.give", cancel: "people/{id}", access: access, save: actions.give
      ).keeping("role"),
      .confirm(
        "people/{id}/take", title: "person.take.title", question: actions.takeQuestion,
        yes: "person.take.yes", cancel: "people/{id}", access: access, save: actions.take
      ).keeping("role"),
      .confirm(
        "people/{id}/suspend", title: "person.suspend.title",
        question: actions.suspendQuestion, yes: "person.suspend.yes",
        cancel: "people/{id}", access: access, save: actions.suspend),
      .post("people/{id}/reinstate", access: access, actions.reinstate),
      .post("people/{id}/link", access: access, actions.makeLink),
      .post("people/{id}/link/withdraw", access: access, actions.withdrawLink),
      .post(
        "people/{id}/second-factor-link", access: access, actions.makeSecondFactorLink),
      .post("people/{id}/invite", access: access, actions.invite),
      .get("people/{id}/erase", access: access, erasure.ask),
      .post("people/{id}/erase", access: access, erasure.erase),
      .get("modules", access: access, modules.list),
      .get("modules/{id}/enable", access: access) { try modules.ask(true, $0) },
      .get("modules/{id}/disable", access: access) { try modules.ask(false, $0) },
      .post("modules/{id}/enable", access: access, modules.enable),
      .post("modules/{id}/disable", access: access, modules.disable),
      .get("audit", access: access) { try AuditPage.show($0, server().installation) },
    ]
  }

  package var personalData: PersonalData {
    PersonalData(
      .plain("privacy.audit", until: "privacy.audit.until", columns: ["audit"]), export: export)
  }

  package static let access = Access.role(.administrator)

  /// Exports the administrators' changes to the person's account. The access log, not this list,
  /// names the administrators.
  private func export(_ work: Work, _ copy: JSON.Writer) throws {
    for entry in try AuditEntry.about(work.keys.person, on: work) {
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
