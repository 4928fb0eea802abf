extension Portal {
  /// Names what a visitor has begun on a page, for the forms that come between, such as the
  /// registration during a booking.
  package protocol BegunTasks: Capability {
    /// Returns the sentence about what the visitor goes on with on a page of the portal; nil for
    /// any other page.
    func summary(of page: Path, for portal: Portal, in work: Work) throws -> Text?
  }
}
