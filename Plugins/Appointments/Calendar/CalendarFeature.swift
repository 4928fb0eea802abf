import PolyclinicCore

extension Feature {
  /// A secret address works without a session, and would outlast a guardian's right.
  private static let own = GuardianAccess.nothing("calendar.guardians")

  /// Files and feeds for other calendars.
  static let calendar = Feature(
    words: Catalog(
      en: [PackageResources.calendar_en_json],
      ru: [PackageResources.calendar_ru_json],
      he: [PackageResources.calendar_he_json]),
    routes: [
      .get(Appointment.file.pattern, Appointment.download),
      CalendarFeedPage.route.forGuardians(own),
      .post(CalendarFeedPage.creation.pattern, CalendarFeedPage.create).forGuardians(own),
      .post(CalendarFeedPage.revocation.pattern, save: CalendarFeedPage.revoke)
        .forGuardians(own),
      .get(CalendarFeed.address.pattern, access: .everyone, CalendarFeed.download),
    ],
    personalData: PersonalData(
      .plain(
        "privacy.feeds", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["secret_addresses"]),
      export: { _, _ in }, attachments: Appointment.files))
}
