import PolyclinicCore

extension Catalog {
  /// The words of frame and error pages.
  static let server = Catalog(
    en: [PackageResources.front_en_json, PackageResources.problem_en_json],
    ru: [PackageResources.front_ru_json, PackageResources.problem_ru_json],
    he: [PackageResources.front_he_json, PackageResources.problem_he_json])

  static let accounts = Catalog(
    en: [
      PackageResources.accounts_en_json, PackageResources.profile_en_json,
      PackageResources.privacy_en_json, PackageResources.consent_en_json,
      PackageResources.invitation_en_json, PackageResources.tokens_en_json,
      PackageResources.two_factor_en_json,
    ],
    ru: [
      PackageResources.accounts_ru_json, PackageResources.profile_ru_json,
      PackageResources.privacy_ru_json, PackageResources.consent_ru_json,
      PackageResources.invitation_ru_json, PackageResources.tokens_ru_json,
      PackageResources.two_factor_ru_json,
    ],
    he: [
      PackageResources.accounts_he_json, PackageResources.profile_he_json,
      PackageResources.privacy_he_json, PackageResources.consent_he_json,
      PackageResources.invitation_he_json, PackageResources.tokens_he_json,
      PackageResources.two_factor_he_json,
    ])

  static let notifications = Catalog(
    en: [PackageResources.notifications_en_json, PackageResources.mail_en_json],
    ru: [PackageResources.notifications_ru_json, PackageResources.mail_ru_json],
    he: [PackageResources.notifications_he_json, PackageResources.mail_he_json])

  static let dashboard = Catalog(
    en: [PackageResources.dashboard_en_json], ru: [PackageResources.dashboard_ru_json],
    he: [PackageResources.dashboard_he_json])
}
