/// A transaction with its visitor, their keys and its time. Functions that read or write take it.
///
/// A ``Context`` is the work of a request; jobs and commands get theirs from ``Portal/read(_:)``
/// and ``Portal/write(_:)``.
public class Work: Connection {
  /// The signed-in visitor; nil if there is none, as in a job.
  public final let visitor: Visitor?
  /// The time of the work, which tests can set.
  public final let now: Instant
  /// The keys of the person whose data is read and written; nil without such a person.
  final let personKeys: Keys?
  /// The sealed rows that this work has read.
  final let readRows: ReadRows

  /// Creates the work of a visitor within a transaction; the portal does this.
  package init(visitor: Visitor? = nil, at now: Instant, on connection: Connection) {
    self.visitor = visitor
    self.now = now
    personKeys = nil
    readRows = ReadRows()
    super.init(sharing: connection)
  }

  /// Creates the work on the data of the person to whom these keys belong, without a visitor.
  package convenience init(keys: Keys, at now: Instant, on connection: Connection) {
    self.init(Work(at: now, on: connection), keys: keys, at: now)
  }

  /// Creates another view of the same work.
  init(_ work: Work, keys: Keys?, at now: Instant) {
    visitor = work.visitor
    self.now = now
    personKeys = keys
    readRows = work.readRows
    super.init(sharing: work)
  }

  /// The keys of the person whose data is read and written: the visitor, or the person whom
  /// ``Context/of(_:for:)`` has opened.
  ///
  /// Throws ``Refusal/signedOut`` if there is no such person.
  public final var keys: Keys {
    get throws {
      guard let personKeys else { throw Refusal.signedOut }
      return personKeys
    }
  }

  /// Returns the signed-in visitor; throws ``Refusal/signedOut`` if there is none.
  public final func signedIn() throws -> Visitor {
    guard let visitor else { throw Refusal.signedOut }
    return visitor
  }

  /// True if the visitor may read the records of the person whose pages they open. A guardian may
  /// have the right to book alone; everyone may read their own records.
  public final var mayReadRecords: Bool { visitor?.inCare?.showsRecords ?? true }

  /// True if the visitor may change the records of the person whose pages they open.
  public final var mayChangeRecords: Bool { visitor?.inCare?.letsChangeRecords ?? true }

  /// Returns the same work at another time, such as the moment at which a change took effect.
  public final func at(_ now: Instant) -> Work {
    Work(self, keys: personKeys, at: now)
  }

  /// Returns the same work with statements that run on another connection.
  final func on(_ connection: Connection) -> Work {
    Work(Work(visitor: visitor, at: now, on: connection), keys: personKeys, at: now)
  }

  /// Returns the same work on the data of the person to whom these keys belong.
  package final func with(_ keys: Keys) -> Work {
    Work(self, keys: keys, at: now)
  }
}
