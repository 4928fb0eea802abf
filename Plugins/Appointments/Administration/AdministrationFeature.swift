import PolyclinicCore

extension Feature {
  /// Entering and importing clinics, doctors and their hours.
  static let administration = Feature(
    words: Catalog(
      en: [
        PackageResources.clinics_en_json, PackageResources.doctors_en_json,
        PackageResources.hours_en_json, PackageResources.import_en_json,
        PackageResources.outside_hours_en_json,
      ],
      ru: [
        PackageResources.clinics_ru_json, PackageResources.doctors_ru_json,
        PackageResources.hours_ru_json, PackageResources.import_ru_json,
        PackageResources.outside_hours_ru_json,
      ],
      he: [
        PackageResources.clinics_he_json, PackageResources.doctors_he_json,
        PackageResources.hours_he_json, PackageResources.import_he_json,
        PackageResources.outside_hours_he_json,
      ]),
    routes: AdministrationRoutes.all + HoursRoutes.all,
    personalData: PersonalData(
      .sealed(
        "privacy.doctor-name", until: "privacy.doctor-name.until",
        seenBy: "privacy.doctor-name.seen-by"),
      .plain(
        "privacy.clinic-staff", until: "privacy.until-erased",
        seenBy: "privacy.clinic-staff.seen-by",
        columns: [
          "appointments_doctors.department", "appointments_doctors.slot_minutes",
          "appointments_doctors.disabled_at", "appointments_doctor_profiles", "appointments_hours",
          "appointments_exceptions", "appointments_receptionists",
        ]),
      impersonal: [
        "appointments_clinics": "public", "appointments_departments": "public",
        "appointments_map": "public", "appointments_map_cells": "public",
        "appointments_claimed_blocks":
          "a doctor's booked time as bits, by which nobody is told from another",
      ],
      export: StaffData.export, obstacle: StaffData.erasureObstacle,
      loss: StaffData.erasureLoss))
}
