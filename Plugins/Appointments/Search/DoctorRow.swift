import PolyclinicCore

/// A doctor's row in the public list: the name, the place, the languages and the next free times.
struct DoctorRow {
  let listed: ListedDoctor
  let times: [Availability.Day]
  /// The query that leads back to the list.
  let wayBack: Fields
  let context: Context

  private var placement: DoctorPlacement { listed.placement }

  var html: HTML {
    let marks: [HTML] = [placement.childrenBadge(context), state].compactMap(\.self)
    let languages = listed.profile.languageNames(in: context.language)
    let spoken: HTML? =
      languages.isEmpty ? nil : "<span class=\"secondary-text\"><bdi>\(languages)</bdi></span>"
    return .row(
      content: """
        <div class="doctor"><div class="with-initial"><span class="initial" aria-hidden="true">\
        \(initial(of: listed.name))</span>\
        <div><strong><a href="\(Path("/appointments/doctors/\(placement.doctor.id)").query(wayBack))">\
        <bdi>\(listed.name)</bdi></a></strong>\(each: marks, { " \($0)" })\
        <span class="secondary-text">\(context.text(listed.specialization.title)) · \
        <bdi>\(placement.clinic.nameAndTown(context))</bdi></span>\(spoken)</div></div>\
        \(NextTimesView(days: times, placement: placement, context: context).html)</div>
        """)
  }

  /// The state of the waiting list; nil while the doctor has opened none.
  private var state: HTML? {
    guard let waitingList = listed.waitingList, waitingList.isOpen(at: context.now) else {
      return nil
    }
    if !waitingList.canJoin(at: context.now) { return context.badge("display.closed", .off) }
    if waitingList.isFree(at: context.now) { return context.badge("line.free", .good) }
    let waiting = Text("line.waiting", count: waitingList.waiting(at: context.now).count)
    guard let call = waitingList.call(joiningAt: context.now) else {
      return context.badge(waiting, .waiting)
    }
    return context.badge(
      Text(
        "line.walk-in",
        ["waiting": context.text(waiting), "time": placement.clock(call, context)]), .waiting)
  }
}
