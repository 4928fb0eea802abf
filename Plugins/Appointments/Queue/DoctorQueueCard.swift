import PolyclinicCore

/// The card of a doctor's own waiting list.
enum DoctorQueueCard {
  /// Returns the card of a doctor's own waiting list; nil if no clinic has entered the doctor yet.
  static func card(_ context: Context) throws -> HTML? {
    guard let placement = try SignedInDoctor.placementIfEntered(context)
    else { return nil }
    let doctor = placement.doctor
    let waitingList = try WaitingList.schedule(of: doctor.id, in: context)
    let arrived = try DoctorQueuePages.arrived(placement, in: context)
    return """
      \(state(of: waitingList, arrived: arrived.count, placement, context))\
      \(context.moreLink("queue.card.more", to: "/appointments/queue"))
      """
  }

  private static func state(
    of waitingList: WaitingListSchedule, arrived: Int, _ placement: DoctorPlacement,
    _ context: Context
  ) -> HTML {
    let treated: HTML? = waitingList.treated(at: context.now).map { place in
      let facts = [
        "number": context.formats.number(place.ticket.number),
        "time": place.treatment.map { placement.clock($0.upperBound, context) } ?? "",
      ]
      return "<p>\(context.text("queue.card.current", facts))</p>"
    }
    guard waitingList.isOpen(at: context.now) else {
      let text: Text = placement.isOpen ? "queue.closed" : "queue.disabled"
      return "<p>\(context.text(text))</p>\(treated)"
    }
    let waiting = waitingList.waiting(at: context.now).count + arrived
    return "<p class=\"figure\">\(context.text("line.waiting", count: waiting))</p>\(treated)"
  }
}
