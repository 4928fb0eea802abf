import PolyclinicCore
import PolyclinicWeb

extension Installation {
  /// Has each module keep the records that must outlive a person who is about to be deleted.
  ///
  /// `known` is the time up to which events are known: now, or the time of the backup while a
  /// restore repeats an erasure.
  func retain(
    _ person: ID<Person>, in work: Work
  ) throws {
    for member in members where member.retentionYears > 0 {
      let period = PersonalData.Retention.Period(at: work.now, years: member.retentionYears)
      try member.module.retention?.keep(person, period, work)
    }
  }
}

/// Explains which records remain after a person is erased.
enum RetainedRecords {
  /// The records that modules keep, or the sentence that none are kept.
  static func notice(of installation: Installation, _ context: Context) -> HTML {
    kept(by: installation, context) ?? "<p>\(context.text("retention.nothing"))</p>"
  }

  /// The records that modules keep, one sentence for each module; nil if no module keeps any.
  static func kept(by installation: Installation, _ context: Context) -> HTML? {
    let sentences = installation.members.compactMap { member -> String? in
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
