import PolyclinicCore

/// What administrators do: people and their rights, modules, and the record of both.
struct AdministrationModule: Module {
  let id: ModuleID = "admin"
  let moduleSwitch: any ModuleSwitch
  var title: Text { "admin.title" }
  var catalog: Catalog { .administration }
  var migrations: [Migration] { [AuditEntry.migration] }

  init(_ moduleSwitch: any ModuleSwitch) { self.moduleSwitch = moduleSwitch }

  var links: [Link] {
    [
      Link(
        title, to: "", access: Self.access, icon: .gear, about: "admin.about",
        landing: .administrator)
    ]
  }

  var cards: [Card] { [Card("people.title", access: Self.access, waiting)] }

  var noticeKinds: [NoticeKind] { [.rights] }

  var routes: [Route] {
    let access = Self.access
    let modules = ModulePages(moduleSwitch: moduleSwitch)
    return [
      .get("", access: access, OverviewPage.show),
      .get("people", access: access, PeoplePages.list),
      .get("people/{id}", access: access, PeoplePages.show),
      .post("people/{id}/approve", access: access, PersonActions.approve),
      .post("people/{id}/decline", access: access, PersonActions.decline),
      .post("people/{id}/give", access: access, PersonActions.give),
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
      .get("people/{id}/erase", access: access, PersonErasure.ask),
      .post("people/{id}/erase", access: access, PersonErasure.erase),
      .get("modules", access: access, modules.list),
      .post("modules/{id}/enable", access: access, modules.enable),
      .post("modules/{id}/disable", access: access, modules.disable),
      .get("audit", access: access, AuditPage.show),
    ]
  }

  var personalData: PersonalData {
    PersonalData(
      .plain("privacy.audit", until: "privacy.audit.until", columns: ["audit"]), export: export)
  }

  static let access = Access.role(.administrator)

  /// What administrators did to this person's account; who they were is in the access log.
  private func export(_ keys: Keys, _ connection: Connection, _ copy: JSONWriter) throws {
    for entry in try AuditEntry.about(keys.person, on: connection) {
      try copy.append([
        "at": .string(entry.at.timestamp), "action": .string(entry.action.rawValue),
        "role": entry.role.map { .string($0.rawValue) } ?? .null,
      ])
    }
  }
}

extension Catalog {
  static let administration = Catalog(
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

extension NoticeKind {
  /// What becomes of the role that somebody has asked for.
  static let rights = NoticeKind("rights", "told.rights")
}
