import PolyclinicCore

extension Feature {
  /// Files and feeds for other calendars.
  static let calendar = Feature(
    words: Catalog(
      en: [PackageResources.calendar_en_json],
      ru: [PackageResources.calendar_ru_json],
      he: [PackageResources.calendar_he_json]),
    routes: [
      .get(Appointment.file.pattern, Appointment.download), CalendarFeedPage.route,
      .post(CalendarFeedPage.creation.pattern, CalendarFeedPage.create),
      .post(CalendarFeedPage.revocation.pattern, save: CalendarFeedPage.revoke),
      .get(CalendarFeed.address.pattern, access: .everyone, CalendarFeed.download),
    ],
    personalData: PersonalData(
      .plain(
        "privacy.feeds", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["secret_addresses"]),
      export: { _, _ in }, attachments: Appointment.files))
}
