extension Link {
  /// A task of a new portal or of a new person, in a list whose finished items are ticked.
  ///
  /// Steps of administrators are on the administrators' home page until all are done that are not
  /// optional. Steps of all signed-in users are on the page after registration.
  public struct FirstStep: Sendable {
    /// The task, such as “Add a clinic”.
    public let title: Text
    /// A sentence about the task; nil if the title is enough.
    public let about: Text?
    /// The page of the task, relative to the module; nil if it is not done in the portal.
    public let path: Path?
    /// The users whose task it is.
    public let access: Access
    /// True if the list can be complete without this step.
    public let isOptional: Bool
    /// Returns true if the task is done. It is called each time the list is shown.
    public let isDone: @Sendable (Context) throws -> Bool

    /// Creates a step that leads to `path` until `isDone` returns true.
    public init(
      _ title: Text, about: Text? = nil, to path: Path? = nil,
      access: Access = .role(.administrator), isOptional: Bool = false,
      isDone: @escaping @Sendable (Context) throws -> Bool
    ) {
      self.title = title
      self.about = about
      self.path = path
      self.access = access
      self.isOptional = isOptional
      self.isDone = isDone
    }
  }
}
