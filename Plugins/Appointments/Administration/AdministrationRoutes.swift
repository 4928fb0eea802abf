import PolyclinicCore

private let administrator = Access.role(.administrator)

/// The administrator's addresses of clinics, departments, doctors and receptionists.
enum AdministrationRoutes {
  static var all: [Route] { clinics + departments + doctors + receptionists }

  private static var clinics: [Route] {
    [
      .get("admin", access: administrator) { _ in .redirect(to: "admin/clinics") },
      .get("admin/clinics", access: administrator, ClinicAdministration.list),
      .form(
        "admin/clinics/new", ClinicDraft.pageForm, title: "admin.clinic.new",
        cancel: "admin/clinics",
        access: administrator, start: ClinicAdministration.blank, save: ClinicAdministration.create),
      .get("admin/clinics/{id}", access: administrator, ClinicAdministration.show),
      .form(
        "admin/clinics/{id}/edit", ClinicDraft.pageForm, title: "admin.clinic.edit",
        cancel: "admin/clinics/{id}", access: administrator, load: ClinicAdministration.load,
        save: ClinicAdministration.update),
      .confirm(
        "admin/clinics/{id}/close", title: "admin.clinic.close.title",
        subject: Clinic.inPath, question: ClinicAdministration.closeQuestion,
        yes: "admin.close.yes",
        cancel: "admin/clinics/{id}",
        access: administrator, save: ClinicAdministration.close),
      .post("admin/clinics/{id}/reopen", access: administrator, save: ClinicAdministration.reopen),
      .confirm(
        "admin/clinics/{id}/delete", title: "admin.clinic.delete.title",
        subject: Clinic.inPath, question: ClinicAdministration.deleteQuestion, yes: "delete.yes",
        cancel: "admin/clinics/{id}",
        access: administrator, save: ClinicAdministration.delete),
    ]
  }

  private static var departments: [Route] {
    [
      .form(
        "admin/clinics/{id}/departments/new", DepartmentAdministration.Draft.form,
        title: "admin.department.new", cancel: "admin/clinics/{id}", access: administrator,
        start: DepartmentAdministration.blank, save: DepartmentAdministration.create),
      .get("admin/departments/{id}", access: administrator, DepartmentAdministration.show),
      .confirm(
        "admin/departments/{id}/close", title: "admin.department.close.title",
        subject: Department.inPath, question: DepartmentAdministration.closeQuestion,
        yes: "admin.close.yes",
        cancel: "admin/departments/{id}", access: administrator,
        save: DepartmentAdministration.close),
      .post(
        "admin/departments/{id}/reopen", access: administrator,
        save: DepartmentAdministration.reopen),
      .confirm(
        "admin/departments/{id}/delete", title: "admin.department.delete.title",
        subject: Department.inPath, question: DepartmentAdministration.deleteQuestion,
        yes: "delete.yes",
        cancel: "admin/departments/{id}", access: administrator,
        save: DepartmentAdministration.delete),
    ]
  }

  private static var doctors: [Route] {
    [
      NewDoctorPages.route,
      .get("admin/doctors/{id}", access: administrator, DoctorAdministration.show),
      .form(
        "admin/doctors/{id}/edit", DoctorDraft.form, title: "admin.doctor.edit",
        cancel: "admin/doctors/{id}", access: administrator, load: DoctorAdministration.load,
        save: DoctorAdministration.update),
      .form(
        "admin/doctors/{id}/hours", WorkingHoursDraft.form, title: "admin.hours.title",
        cancel: "admin/doctors/{id}", access: administrator, load: DoctorAdministration.loadHours,
        about: DoctorAdministration.hoursInWords, save: DoctorAdministration.updateHours),
      .confirm(
        "admin/doctors/{id}/disable", title: "admin.doctor.disable.title",
        subject: DoctorPlacement.inPath, question: DoctorAdministration.disableQuestion,
        yes: "admin.doctor.disable.yes",
        cancel: "admin/doctors/{id}", access: administrator, save: DoctorAdministration.disable),
      .post("admin/doctors/{id}/enable", access: administrator, save: DoctorAdministration.enable)
        .leadingBack(to: "admin/doctors/{id}"),
      .confirm(
        "admin/doctors/{id}/delete", title: "admin.doctor.delete.title",
        subject: DoctorPlacement.inPath, question: DoctorAdministration.deleteQuestion,
        yes: "delete.yes",
        cancel: "admin/doctors/{id}", access: administrator, save: DoctorAdministration.delete),
    ]
  }

  private static var receptionists: [Route] {
    [
      .get("admin/clinics/{id}/desk", access: administrator, ReceptionistAdministration.list),
      .form(
        "admin/clinics/{id}/desk/new", ReceptionistAdministration.Draft.form,
        title: "admin.reception.new", cancel: "admin/clinics/{id}/desk", access: administrator,
        start: ReceptionistAdministration.blank, about: ReceptionistAdministration.missing,
        save: ReceptionistAdministration.assign),
      .post(
        "admin/clinics/{id}/desk/remove", access: administrator,
        save: ReceptionistAdministration.remove),
    ]
  }
}
