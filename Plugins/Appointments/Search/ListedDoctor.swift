import PolyclinicCore

/// A doctor as the public list shows them.
struct ListedDoctor: Sendable {
  let placement: DoctorPlacement
  /// The name in the reader's language.
  let name: String
  let profile: DoctorProfile
  /// True if the doctor accepts no new patients and does not know the visitor.
  var refusesVisitor = false
  /// True if words of the search are found only in the name of the clinic.
  var isFoundByClinic = false
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
    let everyday = specializationWords(context)
    var filter = filter
    filter.query = keywords.withoutPrefixes(among: everyday.values.map(\.self))
    let plain = try matching(filter, context)
    guard plain.isEmpty else { return (plain, false) }
    let named = filter.query.specializations(among: everyday)
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
    let meant = specializations.filter { filter.query.matches($0.value) }
    // “Chest pain” means cardiologists, although others treat the chest, too.
    let painful = meant.filter { filter.painWords.contains(where: $0.value.hasWord) }
    let named = Set((painful.isEmpty ? meant : painful).keys)
    return try compactMap { listed in
      let clinic = listed.placement.clinic.id
      guard filter.clinic ?? clinic == clinic,
        filter.specialization ?? listed.specialization == listed.specialization,
        !filter.onlyForChildren || listed.placement.isForChildren,
        filter.language.map(listed.profile.isSpoken) ?? true,
        !filter.onlyAvailable || listed.waitingList?.isFree(at: context.now) ?? false
      else { return nil }
      if filter.query.isEmpty { return listed }
      let place = places[clinic]
      let own = try listed.searchText(in: place?.town ?? "", context)
      let everyday =
        named.isEmpty || named.contains(listed.specialization)
        ? specializations[listed.specialization] : nil
      if filter.query.matches(own, or: everyday) { return listed }
      guard let place, filter.query.matches(SearchText(joining: [own, place.name]), or: everyday)
      else { return nil }
      var found = listed
      found.isFoundByClinic = true
      return found
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
      let place = places[listed.placement.clinic.id]
      let own = try listed.searchText(in: place?.town ?? "", context)
      let others = [place?.name, specializations[listed.specialization]]
      return SearchText(joining: [own] + others.compactMap(\.self))
    }
  }

  /// Returns corrections of a query that finds nobody, the most similar first. Of those that name
  /// the same specializations, such as “dentists” and “dentistry”, only the first is left.
  func corrections(
    of query: SearchText.Query, with further: [SearchText], _ context: Context
  ) throws -> [String] {
    let everyday = specializationWords(context)
    var meanings: Set<Set<Specialization>> = []
    let corrections = query.corrections(
      from: try searchTexts(context) + further, limit: FilterForm.mostCorrections)
    return corrections.filter { words in
      let meant = everyday.filter { SearchText.Query(words).matches($0.value) }
      return meant.isEmpty || meanings.insert(Set(meant.keys)).inserted
    }
  }

  /// True if a word of the query is an everyday word for doctors of a specialization.
  func haveSpecialization(namedIn query: SearchText.Query, _ context: Context) -> Bool {
    !query.specializations(among: specializationWords(context)).isEmpty
  }

  /// Returns the doctors by surname, those whose names the reader can read first, those who refuse
  /// the visitor after all others, and those who are found by the clinic’s name last.
  func byName(in language: Language) -> [ListedDoctor] {
    map { listed in
      (
        rank: (listed.isFoundByClinic ? 2 : 0) + (listed.refusesVisitor ? 1 : 0),
        order: NameOrder(listed.name, in: language), listed: listed
      )
    }
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

  /// Returns the names of the clinics and of their towns in all languages, by clinic. Those of the
  /// towns are with the words for children.
  private func placeNames(
    _ context: Context
  ) throws -> [ID<Clinic>: (name: SearchText, town: String)] {
    let gazetteer = try context.portal.gazetteer
    let children = Clinic.childrenWords(context.portal)
    var names: [ID<Clinic>: (name: SearchText, town: String)] = [:]
    for clinic in map(\.placement.clinic) where names[clinic.id] == nil {
      let name = [clinic.name.english, clinic.name.russian, clinic.name.hebrew]
      let town = clinic.townNames(gazetteer) + (clinic.isPediatric ? [children] : [])
      names[clinic.id] = (
        SearchText(name.joined(separator: " ")), town.joined(separator: " ")
      )
    }
    return names
  }
}

extension ListedDoctor {
  var specialization: Specialization { placement.department.specialization }

  /// Returns the names in all scripts, the languages by name in all languages, and the names of the
  /// town.
  fileprivate func searchText(in town: String, _ context: Context) throws -> SearchText {
    let names = profile.names
    let parts = [
      try placement.doctor.name.opened(by: context.portal.keys), names.english, names.russian,
      names.hebrew,
    ]
    let languages = Language.allCases.map(profile.languageNames)
    return SearchText((parts + languages + [town]).joined(separator: " "))
  }
}
