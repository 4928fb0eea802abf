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
    routes: administrationRoutes + DoctorPhotoAdministration.routes + hoursRoutes,
    personalData: PersonalData(
      .sealed(
        "privacy.doctor-name", until: "privacy.doctor-name.until",
        seenBy: "privacy.doctor-name.seen-by"),
      .plain(
        "privacy.clinic-staff", until: "privacy.until-erased",
        seenBy: "privacy.clinic-staff.seen-by",
        columns: [
          "appointments_doctors.department", "appointments_doctors.slot_minutes",
          "appointments_doctors.disabled_at", "appointments_doctor_profiles",
          "appointments_doctor_photos", "appointments_hours", "appointments_exceptions",
          "appointments_receptionists",
        ]),
      impersonal: [
        "appointments_clinics": "public", "appointments_departments": "public",
        "appointments_map": "public", "appointments_map_cells": "public",
        "appointments_claimed_blocks":
          "a doctor's booked time as bits, by which nobody is told from another",
      ],
      export: Doctor.export, obstacle: Doctor.erasureObstacle, loss: Doctor.erasureLoss))
}

private let administrator = Access.role(.administrator)

private let administrationRoutes: [Route] = [
  .get(ClinicList.area.path, access: administrator) { _ in .redirect(to: ClinicList.path) },
  ClinicList.route, NewClinic.route, ClinicAdministration.route, EditClinic.route,
  CloseClinic.route, DeleteClinic.route,
  .post(
    ClinicAdministration.reopening.pattern, access: administrator,
    save: ClinicAdministration.reopen),
  NewDepartment.route, DepartmentAdministration.route, CloseDepartment.route,
  DeleteDepartment.route,
  .post(
    DepartmentAdministration.reopening.pattern, access: administrator,
    save: DepartmentAdministration.reopen),
  NewDoctor.route, DoctorAdministration.route, EditDoctor.route, EditHours.route,
  DisableDoctor.route, DeleteDoctor.route,
  .post(
    DoctorAdministration.enabling.pattern, access: administrator,
    save: DoctorAdministration.enable
  ).leadingBack(to: DoctorAdministration.address.pattern),
  ReceptionistAdministration.route, NewReceptionist.route,
  .post(
    ReceptionistAdministration.removal.pattern, access: administrator,
    save: ReceptionistAdministration.remove),
]

/// The routes of special hours, and of appointments outside the hours. Those of a doctor's own
/// hours belong below the doctor's day.
private let hoursRoutes: [Route] =
  [NewSpecialHours.route, NewClosedDays.route, DeleteSpecialHours<SpecialHoursPage>.route]
  + SpecialHoursPage.routes + DoctorOutsideHours.routes + ClinicOutsideHours.routes
  + ([OwnHours.route, NewOwnSpecialHours.route] + OwnOutsideHours.routes
  + OwnSpecialHoursPage.routes + [DeleteSpecialHours<OwnSpecialHoursPage>.route])
  .map { $0.marking(DoctorDay.path) }
