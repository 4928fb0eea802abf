import PolyclinicCore

extension AppointmentsModule {
  /// The files of `Strings/`.
  public var catalog: Catalog {
    Catalog(
      en: [
        PackageResources.module_en_json, PackageResources.specialization_en_json,
        PackageResources.booking_en_json, PackageResources.agenda_en_json,
        PackageResources.reception_en_json, PackageResources.line_en_json,
        PackageResources.queue_en_json, PackageResources.find_en_json, PackageResources.map_en_json,
        PackageResources.calendar_en_json, PackageResources.admin_clinics_en_json,
        PackageResources.admin_doctors_en_json, PackageResources.admin_hours_en_json,
        PackageResources.admin_import_en_json, PackageResources.admin_displaced_en_json,
      ],
      ru: [
        PackageResources.module_ru_json, PackageResources.specialization_ru_json,
        PackageResources.booking_ru_json, PackageResources.agenda_ru_json,
        PackageResources.reception_ru_json, PackageResources.line_ru_json,
        PackageResources.queue_ru_json, PackageResources.find_ru_json, PackageResources.map_ru_json,
        PackageResources.calendar_ru_json, PackageResources.admin_clinics_ru_json,
        PackageResources.admin_doctors_ru_json, PackageResources.admin_hours_ru_json,
        PackageResources.admin_import_ru_json, PackageResources.admin_displaced_ru_json,
      ],
      he: [
        PackageResources.module_he_json, PackageResources.specialization_he_json,
        PackageResources.booking_he_json, PackageResources.agenda_he_json,
        PackageResources.reception_he_json, PackageResources.line_he_json,
        PackageResources.queue_he_json, PackageResources.find_he_json, PackageResources.map_he_json,
        PackageResources.calendar_he_json, PackageResources.admin_clinics_he_json,
        PackageResources.admin_doctors_he_json, PackageResources.admin_hours_he_json,
        PackageResources.admin_import_he_json, PackageResources.admin_displaced_he_json,
      ])
  }
}

extension AppointmentsModule {
  /// The files of `Assets/`.
  public var assets: [Page.Asset] {
    [
      Page.Asset("appointments.css", PackageResources.appointments_css, for: .everyPage), .position,
      .call, .display, .freeTimes,
    ] + Page.Asset.map
  }
}
