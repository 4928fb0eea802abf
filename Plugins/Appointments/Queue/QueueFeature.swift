import PolyclinicCore

extension Feature {
  /// The doctor's own waiting list.
  static let queue = Feature(
    words: Catalog(
      en: [PackageResources.queue_en_json],
      ru: [PackageResources.queue_ru_json],
      he: [PackageResources.queue_he_json]),
    routes: [DoctorQueuePage.route, MissedCall.route] + DoctorQueuePage.Button.allCases.map(\.route)
  )
}
