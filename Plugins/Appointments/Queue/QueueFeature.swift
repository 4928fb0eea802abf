import PolyclinicCore

extension Feature {
  /// The doctor's own waiting list.
  static let queue = Feature(
    words: Catalog(
      en: [PackageResources.queue_en_json],
      ru: [PackageResources.queue_ru_json],
      he: [PackageResources.queue_he_json]),
    routes: [
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
    ])
}
