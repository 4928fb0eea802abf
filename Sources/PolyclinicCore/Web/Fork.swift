/// An address at which several pages stand, one of which answers each request.
struct Fork: FormAnswer {
  let choose: @Sendable (Context) throws -> Route

  func show(_ context: Context) throws -> Response {
    switch try choose(context).answer {
    case .get(let handler): try handler(context)
    case .form(let form): try form.show(context)
    case .post, .change: throw Refusal.malformed
    }
  }

  func submit(_ context: Context) throws -> Response {
    switch try choose(context).answer {
    case .post(let handler): try handler(context)
    case .change(let save): try context.answerOnce(save)
    case .form(let form): try form.submit(context)
    case .get: throw Refusal.malformed
    }
  }

  func showAgain(_ context: Context, because reason: Text, status: Int) throws -> Response {
    guard case .form(let form) = try choose(context).answer else { throw Refusal.malformed }
    return try form.showAgain(context, because: reason, status: status)
  }

  func carried(_ sent: Fields) -> Fields {
    sent.without(Context.hiddenNames.union(["cancel", "discard", "instead"]))
  }
}

extension Route {
  /// An address at which several pages and forms stand: `choose` says for each request which of them
  /// it is about. Their own paths and access are not looked at, and none asks for a password.
  public static func fork(
    _ path: StaticString, access: Access = .signedIn,
    _ choose: @escaping @Sendable (Context) throws -> Route
  ) -> Route {
    Route(path, access: access, answer: .form(Fork(choose: choose)))
  }
}
