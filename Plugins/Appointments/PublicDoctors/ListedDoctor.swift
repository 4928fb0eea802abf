import PolyclinicCore

/// A doctor as the public list shows them.
struct ListedDoctor: Sendable {
  let placement: DoctorPlacement
  /// The name in the reader's language.
  let name: String
  let profile: DoctorProfile
  /// Nil while it is closed.
  var waitingList: WaitingListSchedule?

  /// Returns the doctors whom the public pages list, in the order of entry.
  static func all(_ context: Context, on connection: Connection) throws -> [ListedDoctor] {
    let clinics = Dictionary(
      uniqueKeysWithValues: try Clinic.open(on: connection).map { ($0.id, $0) })
    let departments = Dictionary(
      uniqueKeysWithValues: try Department.open(on: connection).map { ($0.id, $0) })
    let keys = context.portal.keys
    return try Doctor.listed(from: context.today, on: connection).compactMap { doctor in
      guard let department = departments[doctor.department],
        let clinic = clinics[department.clinic]
      else { return nil }
      let profile = try doctor.name.profile(by: keys)
      let own = profile.names[context.language]
      return ListedDoctor(
        placement: DoctorPlacement(doctor: doctor, department: department, clinic: clinic),
        name: own.isEmpty ? try doctor.name.opened(by: keys) : own, profile: profile)
    }
  }
}

extension [ListedDoctor] {
  /// Returns the doctors that match a filter, with their waiting lists.
  func matching(
    _ filter: DoctorFilter, _ context: Context, on connection: Connection
  ) throws -> [ListedDoctor] {
    let places = try filter.query.isEmpty ? [:] : placeNames(context)
    let open = Set(try WaitingListSession.openDoctors(on: connection))
    return try compactMap { listed in
      let (doctor, clinic) = (listed.placement.doctor, listed.placement.clinic)
      guard filter.clinic ?? clinic.id == clinic.id,
        filter.specialization ?? listed.specialization == listed.specialization,
        try filter.query.isEmpty
          || filter.query.matches(listed.searchText(at: places[clinic.id] ?? "", context))
      else { return nil }
      var listed = listed
      if open.contains(doctor.id) {
        listed.waitingList = try WaitingList.schedule(
          of: doctor.id, at: context.now, on: connection)
      }
      let isFree = listed.waitingList?.isFree(at: context.now) ?? false
      return filter.onlyAvailable && !isFree ? nil : listed
    }
  }

  /// Returns the doctors by surname, those whose names the reader can read first.
  func byName(in language: Language) -> [ListedDoctor] {
    map { (order: NameOrder($0.name, in: language), listed: $0) }
      .sorted {
        ($0.order, $0.listed.placement.doctor.id) < ($1.order, $1.listed.placement.doctor.id)
      }
      .map(\.listed)
  }

  /// Returns the names of the clinics and of their towns in all languages, by clinic.
  private func placeNames(_ context: Context) throws -> [ID<Clinic>: String] {
    let gazetteer = try context.portal.gazetteer
    var names: [ID<Clinic>: String] = [:]
    for clinic in map(\.placement.clinic) where names[clinic.id] == nil {
      let name = clinic.name
      names[clinic.id] = ([name.english, name.russian, name.hebrew] + clinic.townNames(gazetteer))
        .joined(separator: " ")
    }
    return names
  }
}

extension ListedDoctor {
  var specialization: Specialization { placement.department.specialization }

  /// Returns the names in all scripts, the specialization in the reader's language, and the names of the place.
  fileprivate func searchText(at place: String, _ context: Context) throws -> SearchText {
    let names = profile.names
    let parts = [
      try placement.doctor.name.opened(by: context.portal.keys), names.english, names.russian,
      names.hebrew, context.text(specialization.title), place,
    ]
    return SearchText(parts.joined(separator: " "))
  }
}
