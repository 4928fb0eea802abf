import PolyclinicCore

/// The reception's form that adds a patient without an appointment, whom a search has found, to a
/// doctor's waiting list.
struct WalkIn: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/desk/queue/{id}/join"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.line.add"
  static let submit = title
  static let cancel = ReceptionDay.path
  static var route: Route {
    Route(Self.self).keeping("patient_id").marking(cancel).leadingBack(to: cancel)
  }

  private let list: WalkInList
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    list = try .find(of: Self.address.value(in: context), context)
  }

  /// The patient and the expected time. They are read in a write transaction, because showing the
  /// patient's name adds an entry to their access log.
  var about: HTML? {
    get throws {
      let found = try context.write { try Self.patient($0) }
      return """
        \(try list.heading(context))<p class="lead"><strong><bdi>\(found.name)</bdi></strong> \
        <span class="secondary-text">\(found.detail(context))</span> \
        <a class="change" href="\(WalkInList.search(for: list.placement.doctor.id))">\
        \(context.text("reception.search.another"))</a></p>\(list.expectation(context))\
        <input type="hidden" name="\(SealedSearchValue.field)" \
        value="\(context.choices[SealedSearchValue.field])">
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    Redirect(to: try list.add(Self.patient(context).person, context))
  }

  private static func patient(_ context: Context) throws -> Portal.FoundPerson {
    guard let person = try SealedSearchValue.chosenPatient(in: context),
      let found = try context.portal.people.found(person, for: .reception, in: context)
    else { throw Refusal.notFound }
    return found
  }
}

/// The reception's form that adds a new patient to a doctor's waiting list.
struct NewWalkIn: RoutedForm {
  static let address: Address<ID<Doctor>> = "/appointments/desk/queue/{id}/new"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.line.new"
  static let submit: Text = "reception.line.add"
  static let cancel = ReceptionDay.path
  static let form = PatientCorrection.form
  static var route: Route { Route(Self.self).marking(cancel) }

  private let list: WalkInList
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    list = try .find(of: Self.address.value(in: context), context)
  }

  var about: HTML? {
    get throws {
      let kept = Fields(["list": list.placement.doctor.id.description])
      return """
        \(try KnownPatients(context).notice(keeping: kept))\(try list.heading(context))\
        \(list.expectation(context))
        """
    }
  }

  var instead: [Choice] { [KnownPatients.choice] }

  func prepare(_ newcomer: inout Portal.Newcomer, in context: Context) throws {
    try KnownPatients(context).check(newcomer)
  }

  func save(_ newcomer: Portal.Newcomer, in context: Context) throws -> Redirect {
    let work = try context.portal.people.enter(newcomer, for: .reception, in: context)
    return Redirect(to: try list.add(work.keys.person, context))
  }
}
