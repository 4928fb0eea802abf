import PolyclinicCore

extension Feature {
  /// Files and feeds for other calendars.
  static let calendar = Feature(
    words: Catalog(
      en: [PackageResources.calendar_en_json],
      ru: [PackageResources.calendar_ru_json],
      he: [PackageResources.calendar_he_json]),
    routes: [
      .get("{id}.ics", AppointmentFile.download),
      .get("calendar", CalendarFeedPages.show),
      .post("calendar/new", CalendarFeedPages.create),
      .post("calendar/{id}/revoke", save: CalendarFeedPages.revoke),
      .get("calendar/{token}.ics", access: .everyone, CalendarFeedPages.download),
    ],
    personalData: PersonalData(
      .plain(
        "privacy.feeds", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["secret_addresses"]),
      export: { _, _ in }, attachments: CalendarExport.files))
}
