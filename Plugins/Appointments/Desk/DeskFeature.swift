import PolyclinicCore

extension Feature {
  /// The reception's day and the doctor's.
  static let desk = Feature(
    words: Catalog(
      en: [PackageResources.desk_en_json],
      ru: [PackageResources.desk_ru_json],
      he: [PackageResources.desk_he_json]),
    routes: [
      .get("desk", access: .role(.receptionist), StaffDayPages.showReceptionDay),
      .get("day", access: .role(.doctor), StaffDayPages.showDoctorDay),
      ReceptionBookingPages.route, ReceptionBookingPages.routeByLogin, NewPatientPages.route,
      PatientCorrection.route,
      .form(
        "desk/queue/{id}/join", Form(()), title: "reception.line.add", cancel: "desk",
        access: .role(.receptionist), submit: "reception.line.add", subject: WalkInPages.list,
        about: WalkInPages.question, save: WalkInPages.join
      ).keeping("patient_id").marking("desk").leadingBack(to: "desk"),
      .form(
        "desk/queue/{id}/new", PatientCorrection.form, title: "reception.line.new", cancel: "desk",
        access: .role(.receptionist), submit: "reception.line.add", subject: WalkInPages.list,
        about: WalkInPages.aboutNewPatient, instead: { _, _ in [KnownPatients.choice] },
        prepare: { try KnownPatients.check($0, $2) }, save: WalkInPages.joinNewPatient
      ).marking("desk"),
      .confirm(
        "desk/tickets/{id}/remove", title: "reception.line.remove.title",
        subject: WalkInTicket.inPath,
        question: WalkInPages.removeQuestion, yes: "reception.line.remove.yes", cancel: "desk",
        access: .role(.receptionist), save: WalkInTicket.remove
      ).marking("desk").saying("reception.line.removed"),
      .post("desk/tickets/{id}/decline", access: .role(.receptionist), save: WalkInTicket.decline)
        .leadingBack(to: "desk"),
      .post("desk/search", access: .role(.receptionist), PatientSearch.run)
        .leadingBack(to: "desk/book"),
      FollowUpPages.route, FollowUpPages.routeOfTicket, StaffReschedulePages.route,
      StaffCancelPages.route,
      .post("{id}/arrived", save: StatusPages.arrived).leadingBack(to: "{id}"),
      .post("{id}/fulfilled", save: StatusPages.fulfilled).leadingBack(to: "{id}"),
      .post("{id}/noshow", save: StatusPages.noshow).leadingBack(to: "{id}"),
      .post("{id}/booked", save: StatusPages.undo).leadingBack(to: "{id}"),

    ])
}
