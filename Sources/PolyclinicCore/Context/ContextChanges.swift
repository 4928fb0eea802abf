extension Context {
  /// Makes a change in one transaction and returns a redirect to the path that `body` returns.
  ///
  /// Forms, buttons, imports and the API change something through it:
  ///
  /// - `body` gets the context of the transaction, which checks the visitor's session and roles
  ///   again. It throws ``Refusal/signedOut`` or ``Refusal/forbidden`` if they were taken away
  ///   meanwhile.
  /// - A repeated or concurrent submission of the same form changes nothing and gets the same
  ///   redirect.
  /// - The bytes that it writes count towards the person's storage; beyond the quota it throws
  ///   ``Refusal/conflict(_:)``.
  /// - `body` may run several times, as ``Database/write(_:)`` says.
  public func change(_ body: (Context) throws -> Path) throws -> Response {
    try respondingOnce { .redirect(to: try body($0).resolved(in: module)) }
  }

  /// Makes a change like ``change(_:)``, with further effects of the response.
  package func redirecting(_ body: (Context) throws -> Redirect) throws -> Response {
    try respondingOnce { context in
      let next = try body(context)
      return .redirect(to: next.path.resolved(in: module)).with(next.effects)
    }
  }

  /// Returns the response to an earlier submission of this form; nil if there was none.
  ///
  /// It must be called before any other check, because the first submission may have removed the
  /// form's subject, such as a one-time link.
  package func earlierResponse() throws -> Response? {
    guard try admission.isAnswered(on: self) else { return nil }
    return try portal.database.write { try admission.earlierResponse(on: $0) }
  }

  /// Makes a change like ``change(_:)`` for a handler that may also answer with a page. Stores the
  /// redirect or the new record, so that a repeated or concurrent submission of the same request
  /// has no effect; a page is not stored. The path of the redirect is absolute.
  ///
  /// A repetition runs `body` too, and is undone when its response is to be stored. Most requests
  /// are none, and thus need not look for an earlier response.
  public func respondingOnce(_ body: (Context) throws -> Response) throws -> Response {
    let result = Result {
      try write { context in
        let response = try body(context)
        if response.isChange || request.method.isReplacement {
          try admission.store(response, on: context)
        }
        return response
      }
    }
    if case .success(let response) = result, response.status < 400 { return response }
    // Another wait for a database that fails would double the time to the answer.
    if case .failure(let error as DatabaseError) = result, error.kind != .unique { throw error }
    // A refusal may be the result of the first submission, such as of a deleted record.
    return try earlierResponse() ?? result.get()
  }

  /// Stores the response to a button that changes nothing in the database, such as a switch in the
  /// configuration file, so that a second press gets the same one. ``change(_:)`` has stored that
  /// of any other button in the button's own transaction.
  package func remember(_ response: Response) throws {
    guard response.isChange, !request.fields["once"].isEmpty, try !admission.isAnswered(on: self)
    else { return }
    do { try portal.database.write { try admission.store(response, on: $0) } } catch let error
      as DatabaseError where error.kind == .unique
    {
      // A press at the same time has stored its response.
    }
  }

  /// Runs `body` in a transaction, with its context.
  ///
  /// A request's session and roles are first looked up before its transaction begins. The
  /// transaction checks them again, so that a revoked user's request in flight cannot commit. It
  /// throws ``Refusal/signedOut`` if the visitor was signed out or suspended meanwhile,
  /// ``Refusal/forbidden`` if the visitor lost a role, and ``Refusal/conflict(_:)`` if the visitor
  /// would exceed the storage quota of one person.
  @discardableResult
  public func write<Value>(_ body: (Context) throws -> Value) throws -> Value {
    try portal.database.write { try forVisitor(on: $0, body) }
  }

  /// As ``write(_:)``, but returns nil immediately, without calling `body`, if another write
  /// transaction is running.
  @discardableResult
  public func writeIfFree<Value>(_ body: (Context) throws -> Value) throws -> Value? {
    try portal.database.writeIfFree { try forVisitor(on: $0, body) }
  }

  private func forVisitor<Value>(
    on connection: Connection, _ body: (Context) throws -> Value
  ) throws -> Value {
    let used = try admission.confirmVisitor(on: connection)
    let before = connection.written
    // The change may have rewritten rows that were read before it.
    defer { readRows.forgetAll() }
    let value = try body(Context(self, on: connection))
    try admission.charge(connection.written - before, to: used, on: connection)
    return value
  }
}

extension Request.Method {
  /// True if the API's response to a change is no redirect and no new record.
  fileprivate var isReplacement: Bool { self == .put || self == .delete }
}

extension Response {
  /// True if the response tells of a change: a redirect within the portal, or a new record.
  fileprivate var isChange: Bool { location != nil }
}
