import PolyclinicCore

/// The booking that a visitor has begun before registering: the chosen doctor and time.
struct BegunBooking: Portal.BegunTasks {
  /// The appointments module, whose catalog has the sentence.
  let module: ModuleID

  func summary(of page: Path, for portal: Portal, in work: Work) throws -> Text? {
    let parts = page.description.split(separator: "?", maxSplits: 1)
    guard parts.count == 2, parts[0] == BookingForm.path.description,
      let query = Fields(urlencoded: Array(parts[1].utf8))
    else { return nil }
    let request = BookingRequest(chosen: query)
    do {
      let placement = try request.checked(
        ID<Doctor>(request.doctor).flatMap { try DoctorPlacement.find($0, in: work) })
      let start = try request.start(at: placement, instead: nil, now: work.now)
      var values = [
        "doctor": try placement.doctor.name.value(by: portal.keys),
        "time": Text.Value.moment(start, in: placement.clinic.zone, portal),
      ]
      let held =
        request.hold.isEmpty
        ? nil : try HeldTime.find(request.hold, of: placement.doctor.id, in: work)
      values["until"] = held.map { .time($0.until, placement.clinic.zone) }
      return Text(held == nil ? "booking.begun" : "booking.begun.held", values: values)
        .spoken(by: module)
    } catch is Refusal {
      // The page of the booking says why the time cannot be booked.
      return nil
    }
  }
}
