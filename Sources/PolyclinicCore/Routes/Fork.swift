/// The handler of an address that serves several pages, one of which handles each request.
struct Fork: FormAnswer {
  let choose: @Sendable (Context) throws -> Route

  func show(_ context: Context) throws -> Response {
    let route = try choose(context)
    let response: Response =
      switch route.answer {
      case .get(let handler): try handler(context)
      case .form(let form): try form.show(context)
      case .post, .change: throw Refusal.malformed
      }
    return try response.marking(route.area?(context))
  }

  func submit(_ context: Context) throws -> Response {
    let route = try choose(context)
    let response: Response =
      switch route.answer {
      case .post(let handler): try handler(context)
      case .change(let save): try context.change(save)
      case .form(let form): try form.submit(context)
      case .get: throw Refusal.malformed
      }
    return route.confirming(
      try response.marking(route.area?(context)), to: context.request)
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    let route = try choose(context)
    guard case .form(let form) = route.answer else { throw Refusal.malformed }
    return try form.showAgain(context, because: reason, status: status).marking(
      route.area?(context))
  }

  func carried(_ sent: Fields) -> Fields {
    sent.without(Context.hiddenNames.union(["cancel", "discard", "instead"]))
  }
}

extension Route {
  /// Returns a route that serves several pages and forms: `choose` returns the route that handles
  /// the request. The path and access of that route are ignored, and it must not ask for a
  /// password.
  public static func fork(
    _ path: Path, access: Access = .signedIn,
    _ choose: @escaping @Sendable (Context) throws -> Route
  ) -> Route {
    Route(path, access: access, answer: .form(Fork(choose: choose)))
  }
}
