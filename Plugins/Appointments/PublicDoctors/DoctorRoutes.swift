import PolyclinicCore

/// The addresses of the doctors' public pages, and of a patient's place on a waiting list.
enum DoctorRoutes {
  static var all: [Route] {
    [
      .get("doctors", access: .everyone, DoctorList.show),
      .get("doctors/{id}", access: .everyone, PublicDoctorPages.show),
      .form(
        "doctors/{id}/edit", DoctorProfile.form, title: "doctor.profile.edit",
        cancel: "doctors/{id}", access: .role(.doctor), load: ProfilePages.load,
        save: ProfilePages.save),
      .get("doctors/{id}/display", access: .everyone, PublicDoctorPages.showDisplay),
      .post("doctors/{id}/queue", WaitingListPages.join).leadingBack(to: "doctors/{id}"),
      .confirm(
        "doctors/{id}/queue/leave", title: "line.leave.title", subject: OwnPlace.waitingInPath,
        question: WaitingListPages.leaveQuestion, yes: "line.leave.yes", cancel: "doctors/{id}",
        save: WaitingListPages.leave
      ).saying("line.left.done").leadingBack(to: "doctors/{id}"),
      .confirm(
        "doctors/{id}/queue/decline", title: "decline.title", subject: OwnPlace.calledInPath,
        question: WaitingListPages.declineQuestion, yes: "decline.yes", cancel: "doctors/{id}",
        save: WaitingListPages.decline
      ).leadingBack(to: "doctors/{id}"),
    ]
  }
}
