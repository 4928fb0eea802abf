import PolyclinicCore

/// The addresses of the reception, of the doctor's day and of the doctor's own waiting list.
enum StaffRoutes {
  static var all: [Route] {
    [
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
      .post("queue/declined", access: .role(.doctor), save: DoctorQueuePages.endDeclined)
        .leadingBack(to: "queue"),
      .post("queue/call", access: .role(.doctor), save: DoctorQueuePages.callBooked)
        .leadingBack(to: "queue"),
      .post("queue/finish", access: .role(.doctor), save: DoctorQueuePages.finish)
        .leadingBack(to: "queue"),
      .post("queue/undo", access: .role(.doctor), save: DoctorQueuePages.undoCall)
        .leadingBack(to: "queue"),
    ]
  }
}
