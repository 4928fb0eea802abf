import PolyclinicCore

private let administrator = Access.role(.administrator)

/// Every address of the module, with the code behind it. Paths are below `/appointments`.
extension AppointmentsModule {
  public var routes: [Route] {
    patientRoutes + staffRoutes + ownHoursRoutes + publicRoutes + calendarRoutes
      + administrationRoutes
  }

  /// The patient's own appointments, with doctors and elsewhere. Staff share the addresses of one appointment.
  private var patientRoutes: [Route] {
    [
      .get("", AppointmentList.show),
      .fork("new", NewAppointmentPages.choose)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "new?with=doctor").readableByEveryone,
      .get("{id}", show),
      .fork("{id}/edit", chooseEdit)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "{id}"),
      .fork("{id}/cancel", CancelPages.choose).leadingBack(to: "{id}"),
      .delete("{id}/delete", PersonalAppointment.records, cancel: "{id}"),
      .get("wishes", EarlierTimeAlertPages.list),
      .post("wishes/{id}", save: EarlierTimeAlertPages.subscribe),
      .post("wishes/{id}/leave", save: EarlierTimeAlertPages.unsubscribe),
    ]
  }

  /// The reception, the doctor's day and the doctor's own waiting list.
  private var staffRoutes: [Route] {
    [
      .get("desk", access: .role(.receptionist), StaffDayPages.showReceptionDay),
      .get("day", access: .role(.doctor), StaffDayPages.showDoctorDay),
      .fork("desk/book", access: .role(.receptionist), ReceptionBookingPages.choose),
      .fork("desk/new", access: .role(.receptionist), ReceptionBookingPages.chooseForNewPatient),
      .fork(
        "desk/patients/{id}/edit", access: .role(.receptionist), PatientCorrection.choose
      ).keeping("appointment"),
      .form(
        "desk/queue/{id}/join", Form(()), title: "desk.line.add", cancel: "desk",
        access: .role(.receptionist), submit: "desk.line.add", subject: WalkInPages.list,
        about: WalkInPages.question, save: WalkInPages.join
      ).keeping("patient_id").marking("desk"),
      .form(
        "desk/queue/{id}/new", PatientCorrection.form, title: "desk.line.new", cancel: "desk",
        access: .role(.receptionist), submit: "desk.line.add", subject: WalkInPages.list,
        about: WalkInPages.aboutNewPatient, instead: { _, _ in [KnownPatients.choice] },
        prepare: { try KnownPatients.check($0, $2) }, save: WalkInPages.joinNewPatient
      ).marking("desk"),
      .confirm(
        "desk/tickets/{id}/remove", title: "desk.line.remove.title", subject: WalkInTicket.inPath,
        question: WalkInPages.removeQuestion, yes: "desk.line.remove.yes", cancel: "desk",
        access: .role(.receptionist), save: WalkInTicket.remove
      ).marking("desk").saying("desk.line.removed"),
      .post("desk/search", access: .role(.receptionist), PatientSearch.run)
        .leadingBack(to: "desk/book"),
      .fork("{id}/again", FollowUpPages.choose)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "{id}"),
      .post("{id}/arrived", save: StatusPages.arrived).leadingBack(to: "{id}"),
      .post("{id}/fulfilled", save: StatusPages.fulfilled).leadingBack(to: "{id}"),
      .post("{id}/noshow", save: StatusPages.noshow).leadingBack(to: "{id}"),
      .post("{id}/booked", save: StatusPages.undo).leadingBack(to: "{id}"),
      .fork("{id}/withdraw", StaffCancelPages.choose).leadingBack(to: "{id}"),
      .get("queue", access: .role(.doctor), DoctorQueuePages.show),
      .post("queue/open", access: .role(.doctor), save: DoctorQueuePages.open)
        .leadingBack(to: "queue"),
      .post("queue/close", access: .role(.doctor), save: DoctorQueuePages.close)
        .leadingBack(to: "queue"),
      .post("queue/next", access: .role(.doctor), save: DoctorQueuePages.callNext)
        .leadingBack(to: "queue"),
      .confirm(
        "queue/{id}/noshow", title: "queue.noshow.title",
        question: DoctorQueuePages.unseenQuestion, yes: "queue.noshow.yes", cancel: "queue",
        access: .role(.doctor), save: DoctorQueuePages.endUnseen
      ).marking("queue"),
      .post("queue/call", access: .role(.doctor), save: DoctorQueuePages.callBooked)
        .leadingBack(to: "queue"),
      .fork("queue/{id}/again", access: .role(.doctor), FollowUpPages.chooseOfTicket)
        .keeping("doctor", "date", "time", "offset")
        .leadingBack(to: "queue"),
      .post("queue/finish", access: .role(.doctor), save: DoctorQueuePages.finish)
        .leadingBack(to: "queue"),
      .post("queue/undo", access: .role(.doctor), save: DoctorQueuePages.undoCall)
        .leadingBack(to: "queue"),
    ]
  }

  /// The public pages of clinics and doctors, the choice of a clinic, and a patient's place on a waiting list.
  private var publicRoutes: [Route] {
    [
      .get("clinics", access: .everyone, ClinicSearch.show),
      .get("clinics/map", access: .everyone, ClinicMapPage.show),
      .lookup(
        "clinics/nearest", LocationQuery.form, title: "nearest.title", back: "clinics",
        access: .everyone, submit: "nearest.submit",
        scripts: ["map.css", "position.js", "map.js"],
        aid: NearestClinics.aid, start: HomeTown.filledForm, instead: NearestClinics.suggestions,
        answer: NearestClinics.answer),
      .get("clinics/{id}", access: .everyone, ClinicPage.show),
      .post("clinics/{id}/choose", save: ChosenClinic.choose).leadingBack(to: "clinics/{id}"),
      .get("doctors", access: .everyone, DoctorList.show),
      .get("doctors/{id}", access: .everyone, PublicDoctorPages.show),
      .form(
        "doctors/{id}/edit", DoctorProfile.form, title: "doctor.profile.edit",
        cancel: "doctors/{id}", access: .role(.doctor), load: ProfilePages.load,
        save: ProfilePages.save),
      .get("doctors/{id}/display", access: .everyone, PublicDoctorPages.showDisplay),
      .post("doctors/{id}/queue", WaitingListPages.join).leadingBack(to: "doctors/{id}"),
      .confirm(
        "doctors/{id}/queue/leave", title: "line.leave.title", subject: OwnPlace.inPath,
        question: WaitingListPages.leaveQuestion, yes: "line.leave.yes", cancel: "doctors/{id}",
        save: WaitingListPages.leave
      ).leadingBack(to: "doctors/{id}"),
    ]
  }

  /// The calendar files and feeds for phones and computers.
  private var calendarRoutes: [Route] {
    [
      .get("{id}.ics", AppointmentFile.download),
      .get("calendar", CalendarFeedPages.show),
      .post("calendar/new", CalendarFeedPages.create),
      .post("calendar/{id}/revoke", save: CalendarFeedPages.revoke),
      .get("calendar/{token}.ics", access: .everyone, CalendarFeedPages.download),
    ]
  }

  private var administrationRoutes: [Route] {
    clinicAdministrationRoutes + departmentAdministrationRoutes + doctorAdministrationRoutes
      + specialHoursRoutes + outsideHoursRoutes + receptionistRoutes
  }

  private var clinicAdministrationRoutes: [Route] {
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

  private var departmentAdministrationRoutes: [Route] {
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

  private var doctorAdministrationRoutes: [Route] {
    [
      .fork(
        "admin/departments/{id}/doctors/new", access: administrator, NewDoctorPages.choose),
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

  private var specialHoursRoutes: [Route] {
    [
      .form(
        "admin/doctors/{id}/exceptions/new", SpecialHoursDraft.doctorForm,
        title: "admin.exceptions.new", cancel: "admin/doctors/{id}", access: administrator,
        start: SpecialHoursPages.ofDoctor.blank, save: SpecialHoursPages.ofDoctor.create),
      .form(
        "admin/clinics/{id}/exceptions/new", SpecialHoursDraft.clinicForm,
        title: "admin.closed-days.new", cancel: "admin/clinics/{id}", access: administrator,
        start: SpecialHoursPages.ofClinic.blank, save: SpecialHoursPages.ofClinic.create),
      .get("admin/exceptions/{id}", access: administrator, SpecialHoursPages.ofDoctor.show),
      BookingsOutsideHoursPages.ofDaysOff(at: .administration).cancelling(
        at: "admin/exceptions/{id}/cancel", page: "admin/exceptions/{id}", access: administrator),
      BookingsOutsideHoursPages.ofDaysOff(at: .administration).rescheduling(
        at: "admin/exceptions/{id}/move", page: "admin/exceptions/{id}", access: administrator),
      .confirm(
        "admin/exceptions/{id}/delete", title: "admin.exception.delete.title",
        question: SpecialHoursPages.ofDoctor.deleteQuestion, yes: "delete.yes",
        cancel: "admin/exceptions/{id}", access: administrator,
        save: SpecialHoursPages.ofDoctor.delete),
    ]
  }

  /// The pages on which doctors enter their own days off.
  private var ownHoursRoutes: [Route] {
    let (pages, bookings) = (
      SpecialHoursPages.own, BookingsOutsideHoursPages.ofDaysOff(at: .own)
    )
    let outside = BookingsOutsideHoursPages.own
    let routes: [Route] = [
      .get("hours", access: .role(.doctor), OwnHoursPage.show),
      .form(
        "hours/new", SpecialHoursDraft.doctorForm, title: "admin.exceptions.new", cancel: "hours",
        access: .role(.doctor), start: pages.blank, save: pages.create),
      .get("hours/outside", access: .role(.doctor), outside.show),
      outside.cancelling(
        at: "hours/outside/cancel", page: "hours/outside", access: .role(.doctor)),
      outside.rescheduling(
        at: "hours/outside/move", page: "hours/outside", access: .role(.doctor)),
      .get("hours/{id}", access: .role(.doctor), pages.show),
      bookings.cancelling(
        at: "hours/{id}/cancel", page: "hours/{id}", access: .role(.doctor)),
      bookings.rescheduling(
        at: "hours/{id}/move", page: "hours/{id}", access: .role(.doctor)),
      .confirm(
        "hours/{id}/delete", title: "admin.exception.delete.title",
        question: pages.deleteQuestion, yes: "delete.yes", cancel: "hours/{id}",
        access: .role(.doctor), save: pages.delete),
    ]
    return routes.map { $0.marking("day") }
  }

  /// The pages for appointments outside the working hours, after the hours or the clinic's time zone have changed.
  private var outsideHoursRoutes: [Route] {
    let (doctor, clinic) = (BookingsOutsideHoursPages.ofDoctor, BookingsOutsideHoursPages.ofClinic)
    return [
      .get("admin/doctors/{id}/outside", access: administrator, doctor.show),
      doctor.cancelling(
        at: "admin/doctors/{id}/outside/cancel", page: "admin/doctors/{id}/outside",
        access: administrator),
      doctor.rescheduling(
        at: "admin/doctors/{id}/outside/move", page: "admin/doctors/{id}/outside",
        access: administrator),
      .get("admin/clinics/{id}/outside", access: administrator, clinic.show),
      clinic.cancelling(
        at: "admin/clinics/{id}/outside/cancel", page: "admin/clinics/{id}/outside",
        access: administrator),
      clinic.rescheduling(
        at: "admin/clinics/{id}/outside/move", page: "admin/clinics/{id}/outside",
        access: administrator),
    ]
  }

  private var receptionistRoutes: [Route] {
    [
      .get("admin/clinics/{id}/desk", access: administrator, ReceptionistAdministration.list),
      .form(
        "admin/clinics/{id}/desk/new", ReceptionistAdministration.Draft.form,
        title: "admin.desk.new", cancel: "admin/clinics/{id}/desk", access: administrator,
        start: ReceptionistAdministration.blank, about: ReceptionistAdministration.missing,
        save: ReceptionistAdministration.assign),
      .post(
        "admin/clinics/{id}/desk/remove", access: administrator,
        save: ReceptionistAdministration.remove),
    ]
  }

  /// Shows an appointment: elsewhere, the visitor's own booking, or that of a patient for whom the visitor works.
  private func show(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let booking = try context.database.read { try Booking.find(context.id(), on: $0) }
    guard let booking else { return try PersonalPages.show(context) }
    return try booking.patient == person
      ? PatientAppointmentPage.show(booking, context) : StaffAppointmentPage.show(context)
  }

  /// Chooses the page that changes an appointment: elsewhere, the visitor's own booking, or that of a patient.
  private func chooseEdit(_ context: Context) throws -> Route {
    let booking = try context.database.read { try Booking.find(context.id(), on: $0) }
    guard let booking else { return PersonalPages.editForm }
    return try booking.patient == context.keys.person
      ? ReschedulePages.choose(context) : StaffReschedulePages.choose(context)
  }
}
