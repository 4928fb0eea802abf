extension Portal {
  /// Knows who waits on the premises to be called, so that every open page of theirs tells of the
  /// call.
  public protocol WaitingRoom: Capability {
    /// Returns the state of the work's person at this moment; nil for a person who waits nowhere.
    ///
    /// The pages of people who wait ask every 15 seconds, and those of all others now and then.
    func state(in work: Work) throws -> WaitingState?
  }

  /// The state of a person in a ``WaitingRoom``.
  public enum WaitingState: Sendable {
    /// The person waits for the call.
    case waiting
    /// It is the person's turn. The title names nobody, because browsers keep titles; the page
    /// tells more.
    case called(title: Text, text: Text, page: Path)
  }
}
