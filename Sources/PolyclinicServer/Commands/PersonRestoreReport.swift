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
    let (mood, verb) = manner == .store ? ("came", "was") : ("would come", "would be")
    let records = returning == 1 ? "1 record" : "\(returning) records"
    return lines + [
      "\(records) \(mood) back as the backup has them. Of a record that was changed since, both versions "
        + "stand side by side. No present record \(verb) changed or removed."
    ] + (manner == .count ? ["This was a dry run: nothing was done."] : [])
  }
}
