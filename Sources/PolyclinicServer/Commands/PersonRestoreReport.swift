import PolyclinicCore
import PolyclinicSystem

extension PersonRestore {
  /// Runs the restore and reports the number of records of each kind that were or would be
  /// restored. The report quotes no record.
  func lines(_ manner: Recovery.Manner, at now: Instant) throws -> [String] {
    let outcome: Outcome
    do { outcome = try run(manner, at: now) } catch let error as DatabaseError {
      throw Command.Failure("Nothing was brought back. \(error.sentence)")
    }
    let rows = outcome.counts.map { name, count in
      [name] + [count.same, count.deleted, count.changed].map(String.init)
    }
    var lines =
      ["Backup: \(outcome.manifest.summary)."]
      + TextTable([["RECORDS", "UNCHANGED", "DELETED SINCE", "CHANGED SINCE"]] + rows).lines
    let unreadable = outcome.counts.reduce(0) { $0 + $1.count.unreadable }
    if unreadable > 0 {
      lines.append(
        "Damaged before the backup was made: \(unreadable). An earlier backup may have them.")
    }
    let returning = outcome.counts.reduce(0) { $0 + $1.count.returning }
    if returning == 0 { return lines + ["Nothing is missing now: nothing comes back."] }
    let (verb, mood) = manner == .store ? ("were", "came") : ("would be", "would come")
    return lines + [
      "\(returning) \(mood) back: those deleted since as they were, those changed since as they were, "
        + "beside what they are now. Nothing of now \(verb) changed or removed."
    ] + (manner == .count ? ["This was a dry run: nothing was done."] : [])
  }
}
