import PolyclinicCore

extension AppointmentsModule {
  /// Appointments for the calendars of telephones and computers.
  var calendarRoutes: [Route] {
    [
      .get("{id}.ics", appointmentFile),
      .get("calendar", showFeeds),
      .post("calendar/new", makeFeed),
      .post("calendar/{id}/revoke", revokeFeed),
      .get("calendar/{token}.ics", access: .everyone, feed),
    ]
  }

  static var calendarWords: Catalog {
    Catalog(
      en: [PackageResources.calendar_en_json], ru: [PackageResources.calendar_ru_json],
      he: [PackageResources.calendar_he_json])
  }

  /// The secret addresses of a person's feeds.
  var calendarData: PersonalData {
    PersonalData(
      .plain(
        "privacy.feeds", until: "privacy.until-revoked", seenBy: "privacy.seen-by-nobody",
        columns: ["secret_addresses"]),
      export: { _, _, _ in })
  }

  /// One of the visitor's own appointments, as a file.
  func appointmentFile(_ context: Context) throws -> Response {
    let keys = try context.keys
    let events = AppointmentEvents(
      portal: context.portal, language: context.language, detail: .full)
    let event = try context.database.read { connection in
      let id: ID<Appointment> = try context.id()
      if let booking = try Booking.find(id, of: keys.person, on: connection),
        let practice = try Practice.find(booking.doctor, on: connection)
      {
        return try events.event(of: booking, in: practice)
      }
      let personal = try PersonalAppointment.records.load(context)
      return events.event(of: PersonalAppointment.Entry(personal, id: try context.id()))
    }
    return .download(
      CalendarFile([event]).bytes(at: context.now), type: CalendarFile.mediaType,
      as: "appointment.ics")
  }

  /// Whoever knows the address reads it: there is no visitor, and no other's keys are asked for.
  func feed(_ context: Context) throws -> Response {
    let secret = context.request.parameters["token"] ?? ""
    let file = try context.database.read { connection in
      let opened = try context.portal.secretAddresses.open(secret, on: connection)
      guard let opened, let feed = CalendarFeed(purpose: opened.purpose) else {
        throw Refusal.notFound
      }
      return try feed.file(by: opened.keys, context.portal, on: connection)
    }
    return Response(200, .bytes(file.bytes(at: context.now), type: CalendarFile.mediaType))
  }

  func showFeeds(_ context: Context) throws -> Response {
    let person = try context.keys.person
    let page = try context.database.read { connection in
      FeedsPage(
        addresses: try context.portal.secretAddresses.all(of: person, on: connection),
        isDoctor: try Doctor.of(person, on: connection) != nil, made: nil, context: context)
    }
    return .page(page.page)
  }

  /// The page shows the address this once: of it only a hash is kept.
  func makeFeed(_ context: Context) throws -> Response {
    let keys = try context.keys
    let sent = context.request.fields
    let isDoctor = try context.database.read { try Doctor.of(keys.person, on: $0) != nil }
    guard let whose = CalendarFeed.Whose(rawValue: sent["whose"]),
      let detail = AppointmentEvents.Detail(rawValue: sent["detail"])
    else { throw Refusal.malformed }
    guard whose == .patient || isDoctor else { throw Refusal.forbidden }
    let secrets = context.portal.secretAddresses
    let page = try context.database.write { connection in
      guard try secrets.all(of: keys.person, on: connection).count < FeedsPage.most else {
        throw Refusal.conflict("calendar.too-many")
      }
      let secret = try secrets.make(
        for: keys, purpose: CalendarFeed(whose, detail).purpose, at: context.now, on: connection)
      return FeedsPage(
        addresses: try secrets.all(of: keys.person, on: connection), isDoctor: isDoctor,
        made: secret, context: context)
    }
    return .page(page.page)
  }

  func revokeFeed(_ context: Context) throws -> Response {
    let person = try context.keys.person
    try context.database.write { connection in
      guard
        try context.portal.secretAddresses.revoke(context.id(), of: person, on: connection)
      else { throw Refusal.notFound }
    }
    return .redirect(to: Path("calendar").query(["revoked": "1"]))
  }
}
