import PolyclinicCore
import PolyclinicWeb

/// The administration of people, roles and modules, with its audit log.
package struct AdministrationModule: Module {
  package let id: ModuleID = "admin"
  package let moduleSwitch: any ModuleSwitch
  package var title: Text { "admin.title" }
  package var catalog: Catalog { .administration }
  package var migrations: [Migration] { [AuditEntry.migration] }

  package init(_ moduleSwitch: any ModuleSwitch) { self.moduleSwitch = moduleSwitch }

  package var links: [Link] {
    [
      Link(
        title, to: OverviewPage.path, access: OverviewPage.access, icon: .gear,
        about: "admin.about",
        landing: .administrator)
    ]
  }

  package var noticeKinds: [Notice.Kind] { [.rights] }

  package var guardianAccess: GuardianAccess { .nothing("error.403.own-pages") }

  package var jobs: [Job] { [Job("guardianships", GuardianshipDays.tellAll)] }

  package var routes: [Route] {
    [
      OverviewPage.route, PeoplePage.route, PersonPage.route, RoleGrant.route, RoleRemoval.route,
      GuardiansPage.route, BlockGuardian.route,
      Suspension.route, PersonErasure.route, ModuleList.route, AuditPage.route,
      .post(PersonErasure.address.pattern, access: PersonErasure.access, PersonErasure.erase),
    ] + PersonPage.buttons + GuardiansPage.buttons + ModuleQuestion.routes(moduleSwitch)
  }

  package var personalData: PersonalData {
    PersonalData(
      .plain("privacy.audit", until: "privacy.audit.until", columns: ["audit"]), export: export)
  }

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
