import PolyclinicCore

/// What administrators do with clinics, departments, doctors and their hours.
extension AppointmentsModule {
  private static let administrator = Access.role(.administrator)

  var clinicRoutes: [Route] {
    clinicPages + departmentPages + doctorPages + exceptionPages + outsidePages + deskPages
  }

  var clinicJobs: [Job] { [Job("doctor-names", DoctorName.sealRemaining)] }

  var clinicLinks: [Link] {
    [
      Link(
        "admin.clinics.title", to: "admin/clinics", area: "admin", access: Self.administrator,
        icon: .calendar, about: "admin.clinics.about",
        actions: [
          Link("admin.clinic.new", to: "admin/clinics/new", access: Self.administrator)
        ])
    ]
  }

  static var clinicWords: Catalog {
    Catalog(
      en: [
        PackageResources.admin_clinics_en_json, PackageResources.admin_doctors_en_json,
        PackageResources.admin_hours_en_json, PackageResources.admin_import_en_json,
        PackageResources.admin_displaced_en_json,
      ],
      ru: [
        PackageResources.admin_clinics_ru_json, PackageResources.admin_doctors_ru_json,
        PackageResources.admin_hours_ru_json, PackageResources.admin_import_ru_json,
        PackageResources.admin_displaced_ru_json,
      ],
      he: [
        PackageResources.admin_clinics_he_json, PackageResources.admin_doctors_he_json,
        PackageResources.admin_hours_he_json, PackageResources.admin_import_he_json,
        PackageResources.admin_displaced_he_json,
      ])
  }

  private var clinicPages: [Route] {
    let access = Self.administrator
    return [
      .get("admin", access: access) { _ in .redirect(to: "admin/clinics") },
      .get("admin/clinics", access: access, ClinicPages.list),
      .form(
        "admin/clinics/new", ClinicDraft.form, title: "admin.clinic.new", cancel: "admin/clinics",
        access: access, start: ClinicPages.blank, save: ClinicPages.create),
      .get("admin/clinics/{id}", access: access, ClinicPages.show),
      .form(
        "admin/clinics/{id}/edit", ClinicDraft.form, title: "admin.clinic.edit",
        cancel: "admin/clinics/{id}", access: access, load: ClinicPages.load,
        save: ClinicPages.update),
      .confirm(
        "admin/clinics/{id}/close", title: "admin.clinic.close.title",
        question: ClinicPages.closeQuestion, yes: "admin.close.yes", cancel: "admin/clinics/{id}",
        access: access, save: ClinicPages.close),
      .post("admin/clinics/{id}/reopen", access: access, ClinicPages.reopen),
      .confirm(
        "admin/clinics/{id}/delete", title: "admin.clinic.delete.title",
        question: ClinicPages.deleteQuestion, yes: "delete.yes", cancel: "admin/clinics/{id}",
        access: access, save: ClinicPages.delete),
    ]
  }

  private var departmentPages: [Route] {
    let access = Self.administrator
    return [
      .form(
        "admin/clinics/{id}/departments/new", DepartmentPages.Draft.form,
        title: "admin.department.new", cancel: "admin/clinics/{id}", access: access,
        start: DepartmentPages.blank, save: DepartmentPages.create),
      .get("admin/departments/{id}", access: access, DepartmentPages.show),
      .confirm(
        "admin/departments/{id}/close", title: "admin.department.close.title",
        question: DepartmentPages.closeQuestion, yes: "admin.close.yes",
        cancel: "admin/departments/{id}", access: access, save: DepartmentPages.close),
      .post("admin/departments/{id}/reopen", access: access, DepartmentPages.reopen),
      .confirm(
        "admin/departments/{id}/delete", title: "admin.department.delete.title",
        question: DepartmentPages.deleteQuestion, yes: "delete.yes",
        cancel: "admin/departments/{id}", access: access, save: DepartmentPages.delete),
    ]
  }

  private var doctorPages: [Route] {
    let access = Self.administrator
    return [
      .form(
        "admin/departments/{id}/doctors/new", DoctorDraft.newForm, title: "admin.doctor.new",
        cancel: "admin/departments/{id}", access: access, start: DoctorPages.blank,
        save: DoctorPages.create),
      .get("admin/doctors/{id}", access: access, DoctorPages.show),
      .form(
        "admin/doctors/{id}/edit", DoctorDraft.form, title: "admin.doctor.edit",
        cancel: "admin/doctors/{id}", access: access, load: DoctorPages.load,
        save: DoctorPages.update),
      .form(
        "admin/doctors/{id}/hours", WorkingHours.form, title: "admin.hours.title",
        cancel: "admin/doctors/{id}", access: access, load: DoctorPages.loadHours,
        save: DoctorPages.updateHours),
      .confirm(
        "admin/doctors/{id}/disable", title: "admin.doctor.disable.title",
        question: DoctorPages.disableQuestion, yes: "admin.doctor.disable.yes",
        cancel: "admin/doctors/{id}", access: access, save: DoctorPages.disable),
      .post("admin/doctors/{id}/enable", access: access, DoctorPages.enable)
        .leadingBack(to: "admin/doctors/{id}"),
      .confirm(
        "admin/doctors/{id}/delete", title: "admin.doctor.delete.title",
        question: DoctorPages.deleteQuestion, yes: "delete.yes", cancel: "admin/doctors/{id}",
        access: access, save: DoctorPages.delete),
    ]
  }

  private var exceptionPages: [Route] {
    let access = Self.administrator
    return [
      .form(
        "admin/doctors/{id}/exceptions/new", ExceptionDraft.doctorForm,
        title: "admin.exceptions.new", cancel: "admin/doctors/{id}", access: access,
        start: ExceptionPages.blankForDoctor, save: ExceptionPages.createForDoctor),
      .form(
        "admin/clinics/{id}/exceptions/new", ExceptionDraft.clinicForm,
        title: "admin.closed-days.new", cancel: "admin/clinics/{id}", access: access,
        start: ExceptionPages.blankForClinic, save: ExceptionPages.createForClinic),
      .get("admin/exceptions/{id}", access: access, ExceptionPages.show),
      DisplacedPages.ofDaysOff.cancelling(
        at: "admin/exceptions/{id}/cancel", page: "admin/exceptions/{id}", access: access),
      DisplacedPages.ofDaysOff.moving(
        at: "admin/exceptions/{id}/move", page: "admin/exceptions/{id}", access: access),
      .confirm(
        "admin/exceptions/{id}/delete", title: "admin.exception.delete.title",
        question: ExceptionPages.deleteQuestion, yes: "delete.yes",
        cancel: "admin/exceptions/{id}", access: access, save: ExceptionPages.delete),
    ]
  }

  /// What lies outside the hours, after these have changed or the clocks by which they are told.
  private var outsidePages: [Route] {
    let access = Self.administrator
    let (doctor, clinic) = (DisplacedPages.ofDoctor, DisplacedPages.ofClinic)
    return [
      .get("admin/doctors/{id}/outside", access: access, doctor.show),
      doctor.cancelling(
        at: "admin/doctors/{id}/outside/cancel", page: "admin/doctors/{id}/outside",
        access: access),
      doctor.moving(
        at: "admin/doctors/{id}/outside/move", page: "admin/doctors/{id}/outside", access: access),
      .get("admin/clinics/{id}/outside", access: access, clinic.show),
      clinic.cancelling(
        at: "admin/clinics/{id}/outside/cancel", page: "admin/clinics/{id}/outside",
        access: access),
      clinic.moving(
        at: "admin/clinics/{id}/outside/move", page: "admin/clinics/{id}/outside", access: access),
    ]
  }

  private var deskPages: [Route] {
    let access = Self.administrator
    return [
      .get("admin/clinics/{id}/desk", access: access, ReceptionistPages.list),
      .form(
        "admin/clinics/{id}/desk/new", ReceptionistPages.Draft.form, title: "admin.desk.new",
        cancel: "admin/clinics/{id}/desk", access: access, start: ReceptionistPages.blank,
        save: ReceptionistPages.assign),
      .post("admin/clinics/{id}/desk/remove", access: access, ReceptionistPages.withdraw),
    ]
  }
}
