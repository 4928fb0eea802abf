extension Records {
  /// Returns the sentence of a notification about a record, of which a job knows the number alone.
  ///
  /// ```swift
  /// notice.recordText = Dose.records.noticeText(of: id) { Text("due", ["name": $0.name]) }
  /// ```
  ///
  /// The notification says ``Notice/text`` if the record is deleted or cannot be read.
  public func noticeText(
    of id: ID<Record>, _ text: @escaping @Sendable (Record) -> Text
  ) -> Notice.RecordText {
    Notice.RecordText { work in
      do { return try find(id, in: work).map(text) } catch is UnsealingError { return nil }
    }
  }
}
