import PolyclinicCore

extension AppointmentsModule {
  /// The doctors and their waiting lists, for everybody; their own desks, for doctors.
  var waitingListRoutes: [Route] {
    [
      .get("doctors", access: .everyone, listDoctors),
      .get("doctors/{id}", access: .everyone, showDoctor),
      .get("doctors/{id}/display", access: .everyone, showDisplay),
      .post("doctors/{id}/queue", save: joinLine).leadingBack(to: "doctors/{id}"),
      .post("doctors/{id}/queue/leave", save: leaveLine).leadingBack(to: "doctors/{id}"),
      .get("queue", access: .role(.doctor), showDesk),
      .post("queue/open", access: .role(.doctor), save: openDesk).leadingBack(to: "queue"),
      .post("queue/close", access: .role(.doctor), save: closeDesk).leadingBack(to: "queue"),
      .post("queue/next", access: .role(.doctor), save: callNext).leadingBack(to: "queue"),
      .post("queue/finish", access: .role(.doctor), save: finishTreatment).leadingBack(to: "queue"),
    ]
  }

  static var waitingListWords: Catalog {
    Catalog(
      en: [PackageResources.line_en_json, PackageResources.queue_en_json],
      ru: [PackageResources.line_ru_json, PackageResources.queue_ru_json],
      he: [PackageResources.line_he_json, PackageResources.queue_he_json])
  }

  var waitingListLinks: [Link] {
    [
      Link("doctors.title", to: "doctors", icon: .people, about: "doctors.about"),
      Link(
        "queue.title", to: "queue", access: .role(.doctor), icon: .clock, about: "queue.about"),
    ]
  }

  var waitingListCards: [Card] {
    [
      Card("queue.title", access: .role(.doctor), first: .doctor, deskCard),
      Card("line.card", lineCard),
    ]
  }

  var waitingListNotices: [NoticeKind] { [.line] }

  var waitingListJobs: [Job] { [Job("waiting-lines", keepLinesMoving)] }
}
