/// The portal's database as a request has it: what is written there is written for somebody who still
/// may.
///
/// A request's session and roles are looked up before its turn to write has come. Whoever was signed out,
/// suspended or lost a role meanwhile is refused in the very transaction, by ``Refusal/signedOut`` or
/// ``Refusal/forbidden``: what was taken from somebody is not outrun by what that one had sent already.
public struct VisitorDatabase {
  let database: any Database
  let submissions: any Submissions

  /// As ``Database/read(_:)``.
  public func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.read(body)
  }

  /// As ``Database/write(_:)``; throws ``Refusal/conflict(_:)`` where the visitor would store more than
  /// one person may.
  @discardableResult
  public func write<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try database.write { try forVisitor(on: $0, body) }
  }

  /// As ``write(_:)`` when nobody else is writing; nil, at once and with nothing done, when somebody is.
  @discardableResult
  public func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    try database.writeIfFree { try forVisitor(on: $0, body) }
  }

  private func forVisitor<Value>(
    on connection: Connection, _ body: (Connection) throws -> Value
  ) throws -> Value {
    try submissions.confirmVisitor(on: connection)
    let before = connection.written
    let value = try body(connection)
    try submissions.charge(connection.written - before, on: connection)
    return value
  }
}
