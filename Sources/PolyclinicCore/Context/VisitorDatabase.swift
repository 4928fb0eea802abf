extension Context {
  /// The portal's database for one request, with a check of the visitor in each write transaction.
  ///
  /// A request's session and roles are first looked up before its write transaction begins. The
  /// transaction checks them again, so that a revoked user's request in flight cannot commit. It
  /// throws ``Refusal/signedOut`` if the visitor was signed out or suspended meanwhile, and
  /// ``Refusal/forbidden`` if the visitor lost a role.
  public struct VisitorDatabase {
    let database: any Database
    let admission: any Admission

    /// As ``Database/read(_:)``.
    public func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
      try database.read(body)
    }

    /// As ``Database/write(_:)``; throws ``Refusal/conflict(_:)`` if the visitor would exceed the
    /// storage quota of one person.
    @discardableResult
    public func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
      try database.write { try forVisitor(on: $0, body) }
    }

    /// As ``write(_:)``, but returns nil immediately, without calling `body`, if another write
    /// transaction is running.
    @discardableResult
    public func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
      try database.writeIfFree { try forVisitor(on: $0, body) }
    }

    private func forVisitor<Value>(
      on connection: Connection, _ body: (Connection) throws -> Value
    ) throws -> Value {
      try admission.confirmVisitor(on: connection)
      let before = connection.written
      let value = try body(connection)
      try admission.charge(connection.written - before, on: connection)
      return value
    }
  }
}
