import PolyclinicCore

extension Feature {
  /// Waiting lists, and a patient's place on them.
  static let waitingList = Feature(
    words: Catalog(
      en: [PackageResources.waiting_list_en_json],
      ru: [PackageResources.waiting_list_ru_json],
      he: [PackageResources.waiting_list_he_json]),
    schema: Ticket.schema,
    routes: [LeaveWaitingList.route, DeclineCall.route],
    personalData: PersonalData(
      .plain(
        "privacy.tickets", until: "privacy.until-erased", seenBy: "privacy.tickets.seen-by",
        columns: ["appointments_tickets"]),
      impersonal: ["appointments_sessions": "when a doctor works, as on the display"],
      export: Ticket.export))
}
