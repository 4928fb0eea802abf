import PolyclinicCore

/// The module's entries in the navigation, and its cards on the dashboard.
extension AppointmentsModule {
  public var links: [Link] {
    // The pages of staff come first, because a phone's bar shows only the first entries.
    [
      Link(
        "reception.title", to: ReceptionDay.path, access: .role(.receptionist), icon: .screen,
        about: "reception.about",
        landing: .receptionist),
      Link("day.title", to: DoctorDay.path, access: .role(.doctor), icon: .sun, about: "day.about"),
      Link(
        "queue.title", to: DoctorQueuePage.path, access: .role(.doctor), icon: .clock,
        about: "queue.about"),
      Link(
        title, to: AppointmentList.path, icon: .calendarCheck, about: "agenda.about",
        actions: [Link("agenda.book", to: NewAppointment.withDoctor)]),
      Link(
        "clinics.title", to: ClinicSearch.path, access: .everyone, icon: .pin,
        about: "clinics.about",
        actions: [Link("nearest.title", to: NearestClinics.address.path, access: .everyone)],
        isLast: true),
      Link(
        "doctors.title", to: DoctorList.path, access: .everyone, icon: .stethoscope,
        about: "doctors.about"),
      Link(
        "admin.clinics.title", to: ClinicList.path, area: ClinicList.area.path,
        access: .role(.administrator),
        icon: .building, about: "admin.clinics.about",
        actions: [
          Link("admin.clinic.new", to: NewClinic.path, access: .role(.administrator))
        ]),
    ]
  }

  public var cards: [Card] {
    [
      Card(
        "queue.title", icon: .clock, access: .role(.doctor), first: .doctor, DoctorQueuePage.card),
      Card(
        "day.title", icon: .sun, access: .role(.doctor), first: .doctor, DoctorDay.card),
      Card(
        "reception.title", icon: .screen, access: .role(.receptionist), first: .receptionist,
        ReceptionDay.card),
      // Among the last, because it puts its rows above those of all before it.
      Card("line.card", icon: .clock, OwnPlace.due),
      Card(
        "next.title", rank: .next, reads: [PersonalAppointment.index.head], NextAppointment.due),
      Card("my-clinic.title", icon: .pin, rank: .clinic, MyClinicCard.card)
        .headed(MyClinicCard.heading),
      Card("find.card", icon: .stethoscope, access: .everyone, FindCard.card),
    ]
  }

  public var offlineCards: [Card] { [Card("offline.title", Agenda.offlineCard)] }
}
