import PolyclinicCore
import PolyclinicFormats

/// The demonstration data of the module.
enum AppointmentsDemonstration {
  /// Demonstration data: several kinds of clinics, doctors with hours, some weeks of bookings, and
  /// an open waiting list.
  static var town: Demonstration {
    Demonstration { town, portal, work in
      try StoredMap.replace(
        with: MapFile(PackageResources.town_map_json).features, attribution: "© Polyclinic",
        in: work)
      let departments = try importClinics(in: work)
      try town.employReceptionists(at: departments, in: work)
      let doctors = try town.employDoctors(in: departments.flatMap(\.self), portal, in: work)
      for (doctor, _) in doctors {
        try town.enterHours(of: doctor, from: portal.now, in: work)
      }
      try town.tellStory(of: doctors, portal, in: work)
      for (doctor, inhabitant) in doctors {
        try town.book(doctor, inhabitant, portal, in: work)
      }
      try town.keepAppointmentsElsewhere(in: work)
      try town.queue(atOneOf: doctors.map(\.0), portal, in: work)
    }
  }

  /// Imports the clinics, at coordinates in Minsk. Returns their departments grouped by clinic.
  private static func importClinics(in work: Work) throws -> [[ID<Department>]] {
    try ClinicImport(CSVTable(PackageResources.town_clinics_csv), in: work).store(in: work)
    let departments = try work.rows(
      "SELECT clinic, id_department FROM appointments_departments ORDER BY id_department"
    ) { row -> (clinic: ID<Clinic>, id: ID<Department>) in (row.id(0), row.id(1)) }
    return Dictionary(grouping: departments, by: \.clinic).sorted { $0.key < $1.key }
      .map { $0.value.map(\.id) }
  }
}

extension Demonstration.Town {
  /// The maximum of upcoming bookings per patient: half of the default limit, so that each patient
  /// can book more.
  private static let mostAhead = 5

  /// Assigns one receptionist to the reception of each clinic. `departments` are grouped by clinic.
  fileprivate func employReceptionists(
    at departments: [[ID<Department>]], in work: Work
  ) throws {
    for (receptionist, departments) in zip(people(having: .receptionist), departments) {
      guard let first = departments.first,
        let department = try Department.find(first, in: work)
      else { continue }
      try Receptionist.assign(receptionist.keys.person, to: department.clinic, in: work)
    }
  }

  /// Assigns the doctors to the departments in turn.
  fileprivate func employDoctors(
    in departments: [ID<Department>], _ portal: Portal, in work: Work
  ) throws -> [(ID<Doctor>, Demonstration.Inhabitant)] {
    try people(having: .doctor).enumerated().map { number, inhabitant in
      var draft = DoctorDraft()
      draft.account = inhabitant.keys.person.description
      draft.name = inhabitant.visitor.name
      let department = departments[number % departments.count]
      draft.profile = DoctorProfile(
        ofTownDoctor: number, named: inhabitant.visitor.name,
        in: try Department.find(department, in: work)?.specialization)
      draft.slotMinutes = number.isMultiple(of: 3) ? 30 : 20
      let doctor = try draft.insert(into: department, in: work.with(portal.keys))
      return (doctor, inhabitant)
    }
  }

  /// Stores working hours from Monday to Friday with a midday break, and one day off. One clinic
  /// also opens on Saturday.
  fileprivate mutating func enterHours(
    of doctor: ID<Doctor>, from now: Instant, in work: Work
  ) throws {
    var hours = WorkingHours()
    let starts = TimeOfDay(hour: .random(in: 8...10, using: &dice), minute: 0)
    let ends = TimeOfDay(hour: .random(in: 14...18, using: &dice), minute: 0)
    let lastDay = try opensOnSaturday(doctor, in: work) ? 6 : 5
    for weekday in Weekday.allCases where weekday.number <= lastDay {
      hours.work.append(WorkingHours.Span(weekday: weekday, starts: starts, ends: ends))
      hours.breaks.append(
        WorkingHours.Span(
          weekday: weekday, starts: TimeOfDay(hour: 12, minute: 30),
          ends: TimeOfDay(hour: 13, minute: 0)))
    }
    try hours.replace(of: doctor, in: work)
    let date = LocalDateTime(now, in: .utc).date
      .adding(days: .random(in: 3...40, using: &dice))
    try work.run(
      """
      INSERT INTO appointments_exceptions (doctor, date, starts, ends, kind)
      VALUES (\(doctor), \(date), 0, 1440, 'off')
      """)
  }

  /// True for the doctors of the clinic that opens on Saturday: a clinic for children, because
  /// children are in school on the other days.
  private func opensOnSaturday(_ doctor: ID<Doctor>, in work: Work) throws -> Bool {
    let placement = try DoctorPlacement.find(doctor, in: work)
    return placement.map { $0.clinic.isPediatric && !$0.clinic.isHospital } ?? false
  }

  /// Books about an eighth of the times, from two weeks ago to three weeks ahead.
  fileprivate mutating func book(
    _ doctor: ID<Doctor>, _ inhabitant: Demonstration.Inhabitant, _ portal: Portal, in work: Work
  ) throws {
    guard let placement = try DoctorPlacement.find(doctor, in: work) else { return }
    let today = placement.local(portal.now).date
    let days = today.adding(days: -14)...today.adding(days: 21)
    guard let schedule = try DoctorSchedule.find(of: doctor, during: days, in: work) else {
      return
    }
    let length = try placement.slot(portal.settings)
    let patients = patients(of: placement)
    let taken = Set(
      try work.rows("SELECT starts_at FROM appointments WHERE doctor = \(doctor)") {
        $0.instant(0)
      })
    for day in -14...21 {
      for time in schedule.times(of: length, on: today.adding(days: day)) {
        guard Int.random(in: 0..<8, using: &dice) == 0, !taken.contains(time.span.lowerBound),
          let patient = patients.randomElement(using: &dice)
        else { continue }
        let ahead = try Booking.open(of: patient.keys.person, after: portal.now, in: work)
        if time.span.lowerBound > portal.now, ahead.count >= Self.mostAhead { continue }
        try book(time, doctor, inhabitant, for: patient, portal, in: work)
      }
    }
  }

  /// Returns the people whom a doctor of this department treats.
  private func patients(of placement: DoctorPlacement) -> [Demonstration.Inhabitant] {
    patients.filter { patient in
      if placement.clinic.isPediatric { return patient.isChild }
      return !patient.isChild
        && (patient.isFemale || placement.department.specialization != .gynecology)
    }
  }

  /// Stores a booking, and its final status if the appointment is over.
  private mutating func book(
    _ time: Slot, _ doctor: ID<Doctor>, _ inhabitant: Demonstration.Inhabitant,
    for patient: Demonstration.Inhabitant, _ portal: Portal, in work: Work
  ) throws {
    let bookedAt = min(portal.now, time.span.lowerBound) - .days(3)
    let booking = try Booking.claim(
      time, of: doctor, for: patient.keys.person, in: work.at(bookedAt))
    try booking.record(
      by: HistoryEntry.Actor(patient.visitor, as: .patient), sealedBy: patient.keys,
      in: work.at(bookedAt))
    guard time.span.upperBound <= portal.now else { return }
    let status: Appointment.Status =
      switch Int.random(in: 0..<20, using: &dice) {
      case 0: .cancelled
      case 1: .noshow
      default: .fulfilled
      }
    let actor =
      status == .cancelled
      ? HistoryEntry.Actor(patient.visitor, as: .patient)
      : HistoryEntry.Actor(inhabitant.visitor, as: .doctor)
    try booking.setStatus(
      status, by: actor, sealedBy: patient.keys, in: work.at(time.span.upperBound))
  }

  fileprivate func keepAppointmentsElsewhere(
    in work: Work
  ) throws {
    for (number, patient) in patients.prefix(20).enumerated() {
      var appointment = PersonalAppointment()
      appointment.date = LocalDateTime(work.now, in: .utc).date.adding(days: number % 9 - 2)
      appointment.time = TimeOfDay(hour: 10, minute: 30)
      appointment.zone = "Europe/Minsk"
      appointment.location =
        switch patient.language {
        case .english: "Physiotherapy at the swimming pool"
        case .russian: "Лечебная физкультура в бассейне"
        case .hebrew: "פיזיותרפיה בבריכה"
        }
      _ = try PersonalAppointment.records.insert(appointment, in: work.with(patient.keys))
    }
  }

  /// Opens the waiting list of the first doctor who is at work, with four patients who came without
  /// an appointment. Outside working hours it opens none.
  fileprivate func queue(
    atOneOf doctors: [ID<Doctor>], _ portal: Portal, in work: Work
  ) throws {
    for doctor in doctors {
      guard let placement = try DoctorPlacement.find(doctor, in: work) else { continue }
      let today = placement.local(portal.now).date
      guard
        let schedule = try DoctorSchedule.find(of: doctor, during: today...today, in: work),
        let working = schedule.working(on: today).first(where: { $0.contains(portal.now) })
      else { continue }
      let opened = max(portal.now - .minutes(25), working.lowerBound)
      try WaitingList.open(
        placement.doctor, slotMinutes: try portal.settings.integer("slot_minutes"),
        in: work.at(opened))
      for (number, patient) in patients(of: placement).dropFirst().prefix(4).enumerated() {
        try WaitingList.join(
          doctor, patient.keys.person, in: work.at(min(opened + .minutes(5 * number), portal.now)))
      }
      return
    }
  }
}
