import PolyclinicCore

/// A doctor as the public list shows them.
struct ListedDoctor: Sendable {
  let placement: DoctorPlacement
  /// The name in the reader's language.
  let name: String
  let profile: DoctorProfile
  /// True if the doctor accepts no new patients and does not know the visitor.
  var refusesVisitor = false
  /// Nil while it is closed, and until it is loaded.
  var waitingList: WaitingListSchedule?

  /// Returns the doctors whom the public pages list, in the order of entry. They have their waiting
  /// lists if the filter asks for them.
  static func all(
    for filter: DoctorFilter, at open: OpenClinics, _ context: Context
  ) throws -> [ListedDoctor] {
    let clinics = Dictionary(uniqueKeysWithValues: open.clinics.map { ($0.id, $0) })
    let departments = Dictionary(uniqueKeysWithValues: open.departments.map { ($0.id, $0) })
    let keys = context.portal.keys
    let all: [ListedDoctor] = try Doctor.listed(from: context.today, in: context).compactMap {
      doctor in
      guard let department = departments[doctor.department],
        let clinic = clinics[department.clinic]
      else { return nil }
      let profile = try doctor.name.profile(by: keys)
      let own = profile.names[context.language]
      return ListedDoctor(
        placement: DoctorPlacement(doctor: doctor, department: department, clinic: clinic),
        name: own.isEmpty ? try doctor.name.opened(by: keys) : own, profile: profile)
    }
    let marked = try all.markingRefusals(context)
    return filter.onlyAvailable ? try marked.withWaitingLists(in: context) : marked
  }
}

extension [ListedDoctor] {
  /// Returns the doctors that match all words of the filter. If there are none, leaves out words
  /// that name nothing, such as “my”. If there are still none, returns the doctors of the
  /// specializations that most words name, and `isPartial` is true.
  func found(
    by filter: DoctorFilter, _ context: Context
  ) throws -> (doctors: [ListedDoctor], isPartial: Bool) {
    let exact = try matching(filter, context)
    guard exact.isEmpty, !filter.query.isEmpty,
      let keywords = filter.query.withoutFillers(context.portal)
    else { return (exact, false) }
    var filter = filter
    filter.query = keywords
    let plain = try matching(filter, context)
    guard plain.isEmpty else { return (plain, false) }
    let named = keywords.specializations(among: specializationWords(context))
    filter.query = SearchText.Query("")
    let some = try matching(filter, context)
      .filter { named.contains($0.specialization) }
    return (some, !some.isEmpty)
  }

  /// Returns the doctors that match a filter.
  private func matching(_ filter: DoctorFilter, _ context: Context) throws -> [ListedDoctor] {
    let places = try filter.query.isEmpty ? [:] : placeNames(context)
    let specializations = filter.query.isEmpty ? [:] : specializationWords(context)
    // “Children’s doctor” means pediatricians, and no other doctors at a children’s clinic.
    let named = Set(specializations.filter { filter.query.matches($0.value) }.keys)
    return try self.filter { listed in
      let clinic = listed.placement.clinic.id
      guard filter.clinic ?? clinic == clinic,
        filter.specialization ?? listed.specialization == listed.specialization,
        !filter.onlyForChildren || listed.placement.isForChildren,
        filter.language.map(listed.profile.isSpoken) ?? true,
        !filter.onlyAvailable || listed.waitingList?.isFree(at: context.now) ?? false
      else { return false }
      return try filter.query.isEmpty
        || filter.query.matches(
          listed.searchText(at: places[clinic] ?? "", context),
          or: named.isEmpty || named.contains(listed.specialization)
            ? specializations[listed.specialization] : nil)
    }
  }

  /// Returns the doctors, those marked who refuse the visitor.
  fileprivate func markingRefusals(_ context: Context) throws -> [ListedDoctor] {
    let refusing = try context.doctorsRefusingVisitor(
      among: map { ($0.placement.doctor.id, $0.profile) })
    if refusing.isEmpty { return self }
    return map { listed in
      var listed = listed
      listed.refusesVisitor = refusing.contains(listed.placement.doctor.id)
      return listed
    }
  }

  /// Returns the doctors with those waiting lists that are not closed.
  func withWaitingLists(in work: Work) throws -> [ListedDoctor] {
    let sessions = Dictionary(
      uniqueKeysWithValues: try WaitingListSession.withoutClosing(in: work).map { ($0.doctor, $0) })
    let lists = enumerated().compactMap { index, listed in
      sessions[listed.placement.doctor.id].map { (index, (listed.placement, $0)) }
    }
    let schedules = try WaitingList.schedules(at: lists.map(\.1), in: work)
    var doctors = self
    for ((index, _), schedule) in zip(lists, schedules) { doctors[index].waitingList = schedule }
    return doctors
  }

  /// Returns the texts by which the search finds the doctors, each with the words of the
  /// specialization.
  func searchTexts(_ context: Context) throws -> [SearchText] {
    let places = try placeNames(context)
    let specializations = specializationWords(context)
    return try map { listed in
      let words = specializations[listed.specialization]?.string ?? ""
      let place = places[listed.placement.clinic.id] ?? ""
      return try listed.searchText(at: "\(place) \(words)", context)
    }
  }

  /// Returns the doctors by surname, those whose names the reader can read first, and those who
  /// refuse the visitor last.
  func byName(in language: Language) -> [ListedDoctor] {
    map { (rank: $0.refusesVisitor ? 1 : 0, order: NameOrder($0.name, in: language), listed: $0) }
      .sorted {
        ($0.rank, $0.order, $0.listed.placement.doctor.id)
          < ($1.rank, $1.order, $1.listed.placement.doctor.id)
      }
      .map(\.listed)
  }

  /// Returns the words for the doctors of each specialization, in all languages.
  private func specializationWords(_ context: Context) -> [Specialization: SearchText] {
    let specializations = Set(map(\.specialization)).map {
      ($0, $0.searchText(context.portal.string))
    }
    return Dictionary(uniqueKeysWithValues: specializations)
  }

  /// Returns the names of the clinics and of their towns in all languages, by clinic, with the
  /// words for children.
  private func placeNames(_ context: Context) throws -> [ID<Clinic>: String] {
    let gazetteer = try context.portal.gazetteer
    let children = Clinic.childrenWords(context.portal)
    var names: [ID<Clinic>: String] = [:]
    for clinic in map(\.placement.clinic) where names[clinic.id] == nil {
      let name = clinic.name
      let parts =
        [name.english, name.russian, name.hebrew] + clinic.townNames(gazetteer)
        + (clinic.isPediatric ? [children] : [])
      names[clinic.id] = parts.joined(separator: " ")
    }
    return names
  }
}

extension ListedDoctor {
  var specialization: Specialization { placement.department.specialization }

  /// Returns the names in all scripts, the languages by name in all languages, and the names of the
  /// place.
  fileprivate func searchText(at place: String, _ context: Context) throws -> SearchText {
    let names = profile.names
    let parts = [
      try placement.doctor.name.opened(by: context.portal.keys), names.english, names.russian,
      names.hebrew,
    ]
    let languages = Language.allCases.map(profile.languageNames)
    return SearchText((parts + languages + [place]).joined(separator: " "))
  }
}
