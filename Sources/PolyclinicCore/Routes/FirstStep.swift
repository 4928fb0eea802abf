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
    /// Returns the page of the task, relative to the module; nil if it is not done in the portal.
    public let page: @Sendable (Context) throws -> Path?
    /// The users whose task it is.
    public let access: Access
    /// True if the list can be complete without this step.
    public let isOptional: Bool
    /// The role for each of whose new members the task is done again; nil for a task that is done
    /// once.
    public let role: Role?
    /// Returns true if the task is done. It is called each time the list is shown.
    public let isDone: @Sendable (Context) throws -> Bool

    /// Creates a step that leads to `path` until `isDone` returns true.
    public init(
      _ title: Text, about: Text? = nil, to path: Path? = nil,
      access: Access = .role(.administrator), isOptional: Bool = false,
      isDone: @escaping @Sendable (Context) throws -> Bool
    ) {
      self.init(
        title, about: about, at: { _ in path }, access: access, isOptional: isOptional,
        isDone: isDone)
    }

    /// Creates a step whose page depends on what is there already, such as the only clinic.
    public init(
      _ title: Text, about: Text? = nil, at page: @escaping @Sendable (Context) throws -> Path?,
      access: Access = .role(.administrator), isOptional: Bool = false, for role: Role? = nil,
      isDone: @escaping @Sendable (Context) throws -> Bool
    ) {
      self.title = title
      self.about = about
      self.page = page
      self.role = role
      self.access = access
      self.isOptional = isOptional
      self.isDone = isDone
    }
  }
}
