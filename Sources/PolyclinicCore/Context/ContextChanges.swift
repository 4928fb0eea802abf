extension Context {
  /// Makes a change in one transaction and returns a redirect to the path that `body` returns.
  ///
  /// Forms, buttons, imports and the API change something through it:
  ///
  /// - The transaction checks the visitor's session and roles again. It throws
  ///   ``Refusal/signedOut`` or ``Refusal/forbidden`` if they were taken away meanwhile.
  /// - A repeated or concurrent submission of the same form changes nothing and gets the same
  ///   redirect.
  /// - The bytes that it writes count towards the person's storage; beyond the quota it throws
  ///   ``Refusal/conflict(_:)``.
  public func change(_ body: (Connection) throws -> Path) throws -> Response {
    try respondingOnce { .redirect(to: try body($0).resolved(in: module)) }
  }

  /// Makes a change like ``change(_:)``, with further effects of the response.
  package func redirecting(_ body: (Connection) throws -> Redirect) throws -> Response {
    try respondingOnce { connection in
      let next = try body(connection)
      return .redirect(to: next.path.resolved(in: module)).with(next.effects)
    }
  }

  /// Returns the response to an earlier submission of this form; nil if there was none.
  ///
  /// It must be called before any other check, because the first submission may have removed the
  /// form's subject, such as a one-time link.
  package func earlierResponse() throws -> Response? {
    guard try database.read({ try admission.isAnswered(on: $0) }) else { return nil }
    return try portal.database.write { try admission.earlierResponse(on: $0) }
  }

  /// Makes a change like ``change(_:)`` for a handler that may also answer with a page. Stores the
  /// redirect or the new record, so that a repeated or concurrent submission of the same request
  /// has no effect; a page is not stored. The path of the redirect is absolute.
  public func respondingOnce(_ body: (Connection) throws -> Response) throws -> Response {
    try database.write { connection in
      if let earlier = try admission.earlierResponse(on: connection) { return earlier }
      let response = try body(connection)
      if response.isChange { try admission.store(response, on: connection) }
      return response
    }
  }

  /// Stores the response to a button that changes nothing in the database, such as a switch in the
  /// configuration file, so that a second press gets the same one. ``change(_:)`` has stored that of
  /// any other button in the button's own transaction.
  package func remember(_ response: Response) throws {
    guard response.isChange, !request.fields["once"].isEmpty,
      try !database.read({ try admission.isAnswered(on: $0) })
    else { return }
    try portal.database.write { try admission.store(response, on: $0) }
  }
}

extension Response {
  /// True if the response tells of a change: a redirect within the portal, or a new record.
  fileprivate var isChange: Bool { location != nil }
}
