import PolyclinicCore

/// A transaction, which begins at the server with its first statement.
final class ServerTransaction {
  private let beginning: [PostgreSQLSession.Command]
  let isWriting: Bool
  /// True if results come in parts, because a whole one may be larger than the memory.
  let readsInParts: Bool
  /// True if the commands were sent.
  var hasBegun = false
  /// True if a statement had a result: from then on, the transaction cannot begin anew unnoticed.
  var hasAnswered = false
  /// True if it began anew because its first statement found no server.
  var isRepeated = false
  /// The first error of the server, after which it runs no statement.
  var failure: DatabaseError?
  /// True if the error is not that of the statement whose caller it was thrown to.
  var hasFailedEarlier = false
  private var cursors = 0
  /// Its number, which the first statement of a write asks for; nil before.
  var number: TransactionNumber?

  static func reading() -> ServerTransaction {
    ServerTransaction([.beginReading], isWriting: false)
  }

  /// Returns a transaction that reads as long as it likes.
  static func snapshot() -> ServerTransaction {
    ServerTransaction(
      [.beginReading, .runUnlimited, .idleUnlimited], isWriting: false, readsInParts: true)
  }

  static func writing(
    _ manner: WriteAttempts.Manner, isUnlimited: Bool
  ) -> ServerTransaction {
    let limits: [PostgreSQLSession.Command] =
      isUnlimited ? [.runUnlimited, .waitAsMigration] : manner == .ifFree ? [.waitBriefly] : []
    let turn: PostgreSQLSession.Command = manner == .alone ? .takeTurn : .takePart
    let begin: PostgreSQLSession.Command =
      manner == .independent ? .beginIndependent : .beginWriting
    return ServerTransaction([begin] + limits + [turn], isWriting: true)
  }

  /// Returns a number that no other cursor of the transaction has.
  func nextCursor() -> Int {
    cursors += 1
    return cursors
  }

  /// Returns the commands that begin it, once.
  func begin() -> [PostgreSQLSession.Command] {
    if hasBegun { return [] }
    hasBegun = true
    return beginning
  }

  /// Forgets what a lost session has begun.
  func beginAnew() {
    isRepeated = true
    hasBegun = false
    failure = nil
  }

  private init(
    _ beginning: [PostgreSQLSession.Command], isWriting: Bool, readsInParts: Bool = false
  ) {
    self.beginning = beginning
    self.isWriting = isWriting
    self.readsInParts = readsInParts
  }
}

/// The number of a transaction at the server, by which another session can ask for its end.
struct TransactionNumber {
  let number: String
  /// The history in which it counts. In another one, another transaction may have the number.
  let history: String

  static let isUnknown = DatabaseError(
    .unknown, code: 0, detail: "the server cannot say whether a transaction was committed")
}
