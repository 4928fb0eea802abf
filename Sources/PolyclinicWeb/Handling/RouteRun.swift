import PolyclinicCore

extension Route {
  /// Calls the handler of the request's method. The redirect after a change carries the route's
  /// outcome to the next page.
  func run(_ context: Context) throws -> Response {
    let response = try answer(context).marking(area?(context))
    return context.request.method == .post ? confirming(response, to: context.request) : response
  }

  private func answer(_ context: Context) throws -> Response {
    switch answer {
    case .get(let handler): return try handler(context).resolved(in: context.module)
    case .post(let handler):
      if let earlier = try context.earlierResponse() { return earlier }
      let answer = try handler(context).resolved(in: context.module)
      try context.remember(answer)
      return answer
    case .change(let save):
      return try context.change(save)
    case .form(let form):
      let answer =
        context.request.method == .get ? try form.show(context) : try form.submit(context)
      return answer.resolved(in: context.module)
    }
  }
}

extension Response {
  /// Returns the response with a redirect inside the module expanded to the full path. A colon in
  /// the first segment ends the scheme of an address elsewhere (RFC 3986, 4.2).
  fileprivate func resolved(in module: ModuleID) -> Response {
    guard let index = headers.firstIndex(where: { $0.name.description == "Location" }),
      !headers[index].value.hasPrefix("/"),
      !headers[index].value.prefix(while: { $0 != "/" && $0 != "?" }).contains(":")
    else { return self }
    var answer = self
    let path = Path(checked: headers[index].value).resolved(in: module)
    answer.headers[index] = .init("Location", path.description)
    return answer
  }
}

extension AdmittedRequest {
  /// Returns the context for a handler of the module. With a key, the response is stored, so that a
  /// repetition of the request changes nothing.
  func context(
    for member: InstalledModule, _ request: Request, repeatable key: IdempotencyStore.Key? = nil
  ) -> Context {
    Context(
      portal: server.portal(for: member), module: member.module.id, request: request,
      language: language, formats: server.formats(language),
      visitor: visitor, keys: keys,
      admission: key.map { RepeatableRequest(request: self, key: $0) } ?? self, on: snapshot)
  }
}

extension Context {
  /// The session of a request for a page; nil for somebody who has not signed in.
  package var session: Sessions.Session? { admitted?.session }

  /// The admitted request, also of a form that may be sent again; nil outside of a request.
  private var admitted: AdmittedRequest? {
    admission as? AdmittedRequest ?? (admission as? RepeatableRequest)?.request
  }

  /// The people for whom the visitor acts; none on the pages of one of them.
  package var peopleInCare: [OpenedPerson] {
    admitted?.inCare == nil ? admitted?.peopleInCare ?? [] : []
  }

  /// Returns the tile of a person, for whom the visitor acts, in the colour of the switch.
  package func avatar(of person: ID<Person>, named name: String) -> HTML {
    let hue = admitted?.hues[person]
    return HTML.avatar(of: name, hue: hue ?? HTML.hue(of: name))
  }

  /// Returns the context of the same request for a part about a person for whom the visitor acts.
  /// That person reads in the access log that the visitor has read `what`.
  package func acting(for person: OpenedPerson, reading what: Text) throws -> Context {
    try admitted?.logView(
      of: person, reading: what.spoken(by: module), for: .guardianship)
    return Context(self, for: person.inCare, by: person.keys)
  }

  /// Returns the context of the same request for another module, such as for its card.
  package func other(_ member: InstalledModule, of server: ServerContext) -> Context {
    Context(self, in: member.module.id, of: server.portal(for: member))
  }
}
