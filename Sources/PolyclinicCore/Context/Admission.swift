/// The result of the checks that admitted a request: the hidden values of the forms of its
/// response, and the checks that its changes repeat within their transaction.
package protocol Admission {
  /// The anti-forgery token of the response's forms, bound to the session and different in each
  /// response.
  var antiForgeryToken: String { get }
  /// The idempotency key of the response's forms; each form is accepted once.
  var idempotencyKey: String { get }
  /// Returns the fields typed into this form before the visitor had to sign in again, until it is
  /// saved or left.
  ///
  /// Nil if there are none.
  func restoredFields() throws -> Fields?
  /// Discards ``restoredFields()``, because the visitor has left the form.
  func discardRestoredFields() throws
  /// Checks the visitor's session and roles again in the write transaction. Returns the person's
  /// storage use for ``charge(_:to:on:)``; nil if nobody is signed in, or the use is not known.
  ///
  /// Throws ``Refusal/signedOut`` if the session has ended since the request arrived or the account
  /// is suspended, and ``Refusal/forbidden`` if a role was taken away.
  @discardableResult
  func confirmVisitor(on connection: Connection) throws -> Connection.StorageUse?
  /// Adds the bytes and rows of the visitor's transaction to the person's storage use, as
  /// ``confirmVisitor(on:)`` has returned it in the same transaction.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the use exceeds the quota.
  func charge(
    _ written: Connection.StorageUse, to used: Connection.StorageUse?, on connection: Connection
  ) throws
  /// True if a page about that person shows a button that leads to a path.
  func offers(_ path: Path, to inCare: PersonInCare) -> Bool
  /// Returns the people for whom the visitor can do what a page offers.
  ///
  /// See ``Context/patients()``.
  func patients(in work: Work) throws -> [Portal.PatientChoice]
  /// Returns true if this request was answered before.
  func isAnswered(on connection: Connection) throws -> Bool
  /// Returns the response to an earlier submission of this request; nil if there was none.
  ///
  /// It begins a session again if the earlier response did.
  func earlierResponse(on connection: Connection) throws -> Response?
  /// Stores the response to this request, in the transaction of the change, and adds a guardian's
  /// change to the access log of the person in care.
  ///
  /// If the request was answered before, this or the end of the transaction throws
  /// ``DatabaseError`` of kind `unique`.
  func store(_ response: Response, on connection: Connection) throws
  /// Runs `body`, which parses a file of `bytes` bytes.
  ///
  /// Throws if this process parses another large file for longer than `body` can wait.
  func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value
}
