import PolyclinicCore

extension Notice.Kind {
  static let ending = Notice.Kind("ending", "kind.ending")
}

extension MedicationsModule {
  /// Reminds each person of the medicines that end within the configured number of days.
  func remind(_ portal: Portal) throws -> Instant {
    let today = LocalDateTime(portal.now, in: portal.clinic.zone).date
    let latest = today.adding(days: try portal.settings.integer("remind_days"))
    try portal.write { work in
      let due = try work.rows(
        """
        SELECT id_medication, person, last_day FROM medications
        WHERE deleted_at IS NULL AND last_day BETWEEN \(today) AND \(latest)
        ORDER BY id_medication
        """
      ) { (id: $0.id(0) as ID<Medication>, person: $0.id(1) as ID<Person>, day: $0.date(2)) }
      for (id, person, day) in due {
        guard let day else { continue }
        let text = Text("ending", values: ["day": .day(day)])
        let notice = Notice(.ending, text, leadingTo: "\(id)", once: "\(id)-\(day)")
        try portal.notify(person, notice, in: work)
      }
    }
    return portal.now + .hours(1)
  }
}
