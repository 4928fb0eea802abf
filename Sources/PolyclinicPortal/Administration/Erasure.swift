import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

extension Administrator {
  /// Deletes a person with their key and all rows, and returns the erasure id. The erasure id is
  /// kept, so that restoring a backup erases the person again.
  ///
  /// Throws ``Refusal/notFound`` if the person does not exist, and ``Refusal/conflict(_:)`` with
  /// the reason if a module objects.
  @discardableResult
  package mutating func erase(
    _ person: ID<Person>, asking installation: Installation, on connection: Connection
  ) throws -> [UInt8] {
    let erasureID = try connection.row(
      "SELECT erasure_id FROM people WHERE id_person = \(person)"
    ) { $0.bytes(0) }
    guard let erasureID else { throw Refusal.notFound }
    let work = Work(at: now, on: connection)
    if let obstacle = try installation.obstacle(toErasing: person, in: work) {
      throw Refusal.conflict(obstacle)
    }
    try connection.run("INSERT INTO erasures (erasure_id, erased_at) VALUES (\(erasureID), \(now))")
    try installation.retain(person, in: work)
    try delete(person, on: connection)
    return erasureID
  }

  /// Repeats an erasure in a database restored from an older backup, even if a module objects.
  /// Returns false if the backup did not contain the person.
  ///
  /// `known` is the time of the backup. Events planned for later may not have taken place.
  package mutating func repeatErasure(
    _ erasureID: [UInt8], asOf known: Instant, in installation: Installation,
    on connection: Connection
  ) throws -> Bool {
    try connection.run(
      """
      INSERT INTO erasures (erasure_id, erased_at) VALUES (\(erasureID), \(now))
      ON CONFLICT (erasure_id) DO NOTHING
      """)
    let person: ID<Person>? = try connection.row(
      "SELECT id_person FROM people WHERE erasure_id = \(erasureID)"
    ) { $0.id(0) }
    guard let person else { return false }
    try installation.retain(person, in: Work(at: known, on: connection))
    try delete(person, on: connection)
    return true
  }

  private mutating func delete(_ person: ID<Person>, on connection: Connection) throws {
    if let account = try Account.find(person, on: connection) {
      for name in account.throttleNames + [Account.codeThrottleName(person)] {
        try Throttle(vault).forget(login: name, on: connection)
      }
    }
    // Recorded first, because administrators who erase themselves no longer exist afterwards.
    try record(.erase, nil, nil, on: connection)
    try connection.run("DELETE FROM people WHERE id_person = \(person)")
  }
}

extension Installation {
  /// Returns the first module's reason why the person cannot be erased yet; nil if there is none.
  ///
  /// Asks all modules, including those that are off, because their data is erased too and other
  /// people may depend on it.
  package func obstacle(toErasing person: ID<Person>, in work: Work) throws -> Text? {
    for member in members {
      if let text = try member.module.personalData.obstacle(person, work) {
        return text.spoken(by: member.module.id)
      }
    }
    return nil
  }

  /// Returns a warning for each thing to come that the person's erasure takes away.
  func lossNotices(ofErasing person: ID<Person>, _ context: Context) throws -> HTML {
    let texts = try losses(ofErasing: person, in: context)
    return "\(each: texts, { context.notice(.remark, $0, as: .warning) })"
  }

  /// Returns what the person's erasure takes away. Asks all modules, including those that are off.
  package func losses(ofErasing person: ID<Person>, in work: Work) throws -> [Text] {
    try members.flatMap { member in
      try member.module.personalData.losses.compactMap {
        try $0(person, work)?.spoken(by: member.module.id)
      }
    }
  }
}

/// Erases a person completely: afterwards neither the database, its write-ahead log, a former
/// database beside it nor a backup restored from now on contains the person.
package struct Erasure {
  package let database: any Database
  package let files: InstallationFiles
  /// The complete history of the schema.
  package let migrations: [(module: String, migrations: [Migration])]
  /// Removes what deleted rows have left in the database’s files.
  package let removeBytes: () throws -> Void

  package init(
    database: any Database, files: InstallationFiles,
    migrations: [(module: String, migrations: [Migration])],
    removeBytes: @escaping () throws -> Void
  ) {
    self.database = database
    self.files = files
    self.migrations = migrations
    self.removeBytes = removeBytes
  }

  /// The step of the erasure that failed. Running the erasure again completes the later steps, even
  /// though the person no longer exists.
  package enum Failure: Error {
    /// Nothing was erased, because the erasure log cannot be written.
    case notBegun(SystemError)
    /// The person is erased, but restoring a backup would not repeat the erasure.
    case unlogged(SystemError)
    /// The person is erased, but deleted bytes may still be in the database’s files.
    case uncleaned(DatabaseError)
    /// The person is erased, but still in another file beside the database, which the text names.
    case copied(String)

    /// True if the person is gone from the database.
    var isErased: Bool { if case .notBegun = self { false } else { true } }
  }

  /// Runs `erase` in a transaction, between ``begin()`` and ``finish()``.
  ///
  /// Throws ``Failure``. Also throws the errors of `erase`, in which case nothing was erased.
  package func run<Value>(_ erase: (Connection) throws -> Value) throws -> Value {
    try begin()
    let value = try database.write(erase)
    try finish()
    return value
  }

  /// Brings the erasure log up to date before the transaction that erases. Throws
  /// ``Failure/notBegun(_:)`` if it cannot be written.
  func begin() throws {
    do { try bringLogUpToDate() } catch let error as SystemError { throw Failure.notBegun(error) }
  }

  /// Logs the erasure, removes deleted bytes and changes the database's copies. Throws
  /// ``Failure``.
  func finish() throws {
    do { try bringLogUpToDate() } catch let error as SystemError { throw Failure.unlogged(error) }
    do { try removeBytes() } catch let error as DatabaseError { throw Failure.uncleaned(error) }
    try finishCopies()
    if let draft = files.copies.drafts().first {
      throw Failure.copied("\(draft): a restore that still runs holds it")
    }
  }

  /// Removes abandoned drafts, and deletes everybody from the former databases who was erased
  /// since, which completes erasures that were cut off. Throws ``Failure/copied(_:)``.
  package func finishCopies() throws {
    do {
      try files.copies.removeAbandonedDrafts()
      if try !files.copies.former().isEmpty {
        let erased = try database.read(ErasureLog.stored)
        let now = Instant.current
        try files.copies.changeFormer(of: migrations) { try Self.forget(erased, at: now, on: $0) }
      }
    } catch let error as SystemError {
      throw Failure.copied("\(error)")
    } catch let error as DatabaseCopies.Unreached {
      throw Failure.copied("\(error)")
    }
  }

  private static func forget(
    _ erased: [[UInt8]], at now: Instant, on connection: Connection
  ) throws {
    var isChanged = false
    for id in erased {
      try connection.run(
        """
        INSERT INTO erasures (erasure_id, erased_at) VALUES (\(id), \(now))
        ON CONFLICT (erasure_id) DO NOTHING
        """)
      let deleted = try connection.runCounting("DELETE FROM people WHERE erasure_id = \(id)")
      if deleted > 0 { isChanged = true }
    }
    guard isChanged else { return }
    // Their rows belong to nobody, but some have hashes or words of the erased.
    try Throttle.forgetAll(on: connection)
    try ForgottenPassword.forgetAll(on: connection)
  }

  /// Appends erasures that are in the database but not in the log, for example after an earlier
  /// failure.
  private func bringLogUpToDate() throws {
    try ErasureLog(directory: files.backups.path).append(try database.read(ErasureLog.stored))
  }
}

extension Installation {
  /// Has each module keep the records that must outlive a person who is about to be deleted.
  ///
  /// `known` is the time up to which events are known: now, or the time of the backup while a
  /// restore repeats an erasure.
  func retain(_ person: ID<Person>, in work: Work) throws {
    for member in members where member.retentionYears > 0 {
      let period = PersonalData.Retention.Period(at: work.now, years: member.retentionYears)
      try member.module.retention?.keep(person, period, work)
    }
  }

  /// The records that modules keep after a person is erased, or the sentence that none are kept.
  func retentionNotice(_ context: Context) -> HTML {
    retainedRecords(context) ?? "<p>\(context.text("retention.nothing"))</p>"
  }

  /// The records that modules keep after a person is erased, one sentence for each module; nil if
  /// no module keeps any.
  func retainedRecords(_ context: Context) -> HTML? {
    let sentences = members.compactMap { member -> String? in
      guard member.retentionYears > 0, var text = member.module.retention?.kept else { return nil }
      text.count = member.retentionYears
      return member.phrasebook.string(text, in: context.language)
    }
    if sentences.isEmpty { return nil }
    return """
      <p>\(context.text("retention.kept"))</p>\
      <ul>\(each: sentences, { "<li>\($0)</li>" })</ul>
      """
  }
}
