import PolyclinicCore

extension AppointmentsModule {
  /// The card of the clinic that the person goes to, or of how to choose one.
  func myClinic(_ context: Context) throws -> HTML? {
    let person = try context.keys.person
    return try context.database.read { connection in
      let chosen = try ChosenClinic.find(of: person, on: connection)
      guard let clinic = try chosen.flatMap({ try Clinic.find($0, on: connection) }) else {
        return howToChoose(context)
      }
      return card(of: clinic, try Department.open(of: clinic.id, on: connection), context)
    }
  }

  private func card(of clinic: Clinic, _ departments: [Department], _ context: Context) -> HTML {
    let name: HTML = """
      <p><a href="/appointments/clinics/\(clinic.id)"><strong><bdi>\
      \(clinic.name.string(in: context.language))</bdi></strong></a><br>\
      <span class="secondary-text"><bdi>\(clinic.address.line(in: context.language))</bdi></span></p>
      """
    if clinic.closedAt != nil {
      return """
        \(name)<p>\(context.text("my-clinic.closed"))</p>\
        <a class="more" href="/appointments/clinics">\(context.text("my-clinic.choose-another"))</a>
        """
    }
    let treated = departments.map { context.text($0.specialization.title) }.joined(separator: ", ")
    let list: HTML? = treated.isEmpty ? nil : "<p class=\"muted\">\(treated)</p>"
    let phone: HTML? = OutsideLink.telephone(clinic.phone).map { link in
      """
      <a class="button secondary" href="\(link)">\(context.icon(.phone))\
      <bdi dir="ltr">\(clinic.phone)</bdi></a>
      """
    }
    return """
      \(name)\(list)<div class="actions"><a class="button" \
      href="\(Path("/appointments/new").query(["clinic": clinic.id.description]))">\
      \(context.text("my-clinic.book"))</a>\(phone)</div>
      """
  }

  private func howToChoose(_ context: Context) -> HTML {
    """
    <p>\(context.text("my-clinic.none"))</p><div class="actions">\
    <a class="button secondary" href="/appointments/clinics">\
    \(context.text("my-clinic.from-list"))</a>\
    <a class="button secondary" href="/appointments/clinics/map">\
    \(context.text("my-clinic.from-map"))</a>\
    <a class="button secondary" href="/appointments/clinics/nearest">\
    \(context.text("nearest.title"))</a></div>
    """
  }
}
