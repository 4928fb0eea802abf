import PolyclinicCore

/// The public page of a doctor: the name, the waiting list in numbers, the next free times, the
/// languages and the weekly hours.
struct DoctorPage: RoutedPage {
  static let address: Address<ID<Doctor>> = "/appointments/doctors/{id}"
  static let access = Access.everyone
  static let linkTitle: Text? = "booking.doctor"
  /// The address of the button that joins the waiting list.
  static let joining: Address<ID<Doctor>> = "/appointments/doctors/{id}/queue"

  private var list: PublicWaitingList
  private let name: String
  private let profile: DoctorProfile
  private let hours: WeeklyHours
  /// True if the doctor accepts no new patients and does not know the visitor.
  private let refusesVisitor: Bool
  /// The list in which the visitor has found the doctor.
  private let origin: (path: Path, label: Text?)
  private let context: Context

  private var placement: DoctorPlacement { list.placement }

  /// The seconds between two refreshes of the visitor's own place: within them the browser tells of
  /// a call.
  private static let refresh = 15

  init(_ context: Context) throws {
    self.context = context
    list = try PublicWaitingList(context)
    let doctor = list.placement.doctor
    name = try doctor.name.shown(context)
    profile = try doctor.name.profile(by: context.portal.keys)
    refusesVisitor = try !context.doctorsRefusingVisitor(among: [(doctor.id, profile)]).isEmpty
    hours =
      if let joining = list.schedule.joining, joining.owner == .doctor {
        joining.weekly
      } else {
        WeeklyHours(try WorkingHours.find(of: doctor.id, in: context))
      }
    origin = try DoctorFilter.list(in: context.request.query, context)
  }

  /// Joins the list and leads to the page, which shows the patient's number and place. Shows the
  /// page again unless the patient has confirmed that they are at the clinic, because an absent
  /// patient blocks the doctor.
  static func join(_ context: Context) throws -> Response {
    guard context.request.fields["present"] == "yes" else {
      var shown = try DoctorPage(context)
      shown.list.isUnconfirmed = true
      return .page(shown.page, status: 422)
    }
    return try context.change { context in
      let person = try context.keys.person
      let placement = try DoctorPlacement.inPath(context)
      let doctor = placement.doctor
      guard doctor.person != person else { throw Refusal.conflict("line.join.own") }
      if try doctor.refuses(person, in: context) {
        throw Refusal.conflict(placement.refusalOfNewPatients)
      }
      let waitingList = try WaitingList.schedule(at: placement, in: context)
      if let obstacle = waitingList.obstacleToJoining(context) { throw Refusal.conflict(obstacle) }
      try WaitingList.join(doctor.id, person, in: context)
      try WaitingList.sendPendingNotices(by: context.portal, in: context)
      return path(doctor.id)
    }
  }

  var page: Page {
    let isOnList = list.own != nil
    var page = Page(
      list.isTurn ? "line.turn" : Text("find.named", ["name": name]),
      """
      \(list.ownPlace)\(heading)\(refusal)\(list.isNow ? list.html : nil)\
      <div class="home beside">\(booking)<div>\(details)\(list.isNow ? nil : list.html)</div></div>
      """,
      back: origin.path, assets: [.freeTimes] + (isOnList ? [.call, .browserNotices] : []),
      width: .wide, hasOwnHeading: true, refresh: isOnList ? Self.refresh : nil)
    page.backLabel = origin.label
    return page
  }

  /// The doctor's name, specialization and clinic beside the photo, and the main button.
  private var heading: HTML {
    let marks = [placement.childrenBadge(context), profile.newPatientsBadge(context)]
      .compactMap(\.self)
    return """
      <div class="title"><div class="with-initial portrait">\
      \(HTML.avatar(of: name, photo: placement.doctor.name.photo))<div><h1><bdi>\(name)</bdi></h1>\
      <p class="lead">\(place)</p>\(marks.isEmpty ? nil : "<p>\(each: marks, { "\($0) " })</p>")\
      </div></div>\(actions: next)</div>
      """
  }

  private var place: HTML {
    """
    \(context.text(placement.department.specialization.title)) · \
    <a href="\(ClinicPage.path(placement.clinic.id))">\
    <bdi>\(placement.clinic.name.string(in: context.language))</bdi></a>, \
    <bdi>\(placement.clinic.localizedAddress(context).city)</bdi>
    """
  }

  /// The notice that the doctor accepts no new patients; nil for a visitor who can book.
  private var refusal: HTML? {
    guard placement.isOpen, refusesVisitor else { return nil }
    return .notice(.remark, placement.refusal(context), as: .warning)
  }

  /// The button that books the next free time; nil if there is none. The main button of a list that
  /// takes patients now is to join it.
  private var next: HTML? {
    guard placement.isOpen, !refusesVisitor, let time = list.times.firstTime else { return nil }
    let days = time.local.date.daysSince1970 - placement.local(context.now).date.daysSince1970
    let clock = BookingText.time(time, context)
    let label: Text =
      switch days {
      case 0: Text("doctor.book.today", ["time": clock])
      case 1: Text("doctor.book.tomorrow", ["time": clock])
      default:
        Text(
          "doctor.book.on",
          ["day": BookingText.shortDay(time.local.date, context), "time": clock])
      }
    return context.button(
      label, to: time.confirmation(with: placement.doctor.id),
      style: list.isNow ? .secondary : [])
  }

  /// The next free times by day, and a link to all others; nil if the doctor cannot be booked.
  private var booking: HTML? {
    guard placement.isOpen, !refusesVisitor else { return nil }
    let all = BookingForm.times(of: placement.doctor.id)
      .query(DoctorFilter.wayBack(in: context.request.query))
    return """
      <section class="panel"><h2>\(context.text("find.times"))</h2>\
      \(NextTimesView(
        days: list.times, placement: placement, name: name,
        wayBack: DoctorFilter.wayBack(in: context.request.query), context: context
      ).html)\
      \(actions: context.button("line.book.all", to: all, style: .secondary))</section>
      """
  }

  /// The languages, the doctor's own words and the weekly hours.
  private var details: HTML {
    """
    \(context.facts([
      HTML.Fact("find.about", lines: profile.about.string(in: context.language)),
      HTML.Fact("find.languages", text: profile.languageNames(in: context.language)),
      HTML.Fact("doctor.fee", text: profile.fee),
      HTML.Fact(
        "doctor.practice-since", text: profile.practiceSince.map { String($0) } ?? ""),
      week,
      HTML.Fact("clinic.address", placement.clinic.addressLine(context)),
      HTML.Fact("clinic.phone", placement.clinic.phoneLink),
    ]))\(actions: edits)
    """
  }

  /// The links with which doctors edit their own page.
  private var edits: [HTML] {
    guard list.viewerRole == .doctor else { return [] }
    let doctor = placement.doctor
    return [
      context.button(
        "doctor.profile.edit", to: EditDoctorProfile.path(doctor.id), style: .secondary)
    ] + OwnPhotoForm.buttons(for: doctor, context)
  }

  /// The weekly hours; nil if the doctor cannot be booked.
  private var week: HTML.Fact? {
    guard placement.isOpen else { return nil }
    let lines: HTML =
      hours.isEmpty
      ? "<dd>\(context.text("line.hours.none"))</dd>"
      : "\(hours.lines(context))\(WeeklyHours.zoneNote(placement.clinic.zone, context))"
    return HTML.Fact("line.hours", values: lines)
  }
}

/// The form in which doctors edit what their own page says about them.
struct EditDoctorProfile: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/doctors/{id}/edit"
  static let access = Access.role(.doctor)
  static let title: Text = "doctor.profile.edit"
  static let form = DoctorProfile.form
  static let cancel = DoctorPage.address.pattern
  static let isVersioned = true

  private let doctor: ID<Doctor>
  let start: DoctorProfile

  /// Throws ``Refusal/notFound`` if the doctor in the path is not the visitor.
  init(_ context: Context) throws {
    let doctor = try Doctor.own(in: context)
    self.doctor = doctor.id
    start = try doctor.name.profile(by: context.portal.keys)
  }

  func save(_ profile: DoctorProfile, in context: Context) throws -> Redirect {
    try profile.store(of: doctor, in: context.with(context.portal.keys))
    return Redirect(to: DoctorPage.path(doctor))
  }
}

extension Doctor {
  /// Returns the doctor in the path. Throws ``Refusal/notFound`` if that is not the visitor.
  static func own(in context: Context) throws -> Doctor {
    let visitor = try context.signedIn()
    guard let doctor = try find(context.id(), in: context), doctor.person == visitor.person
    else { throw Refusal.notFound }
    return doctor
  }
}
