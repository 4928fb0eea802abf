/// An entry of the navigation.
public struct Link: Sendable {
  public let title: Text
  /// Relative to the module.
  public let path: Path
  public let access: Access

  public init(_ title: Text, to path: Path, access: Access = .signedIn) {
    self.title = title
    self.path = path
    self.access = access
  }
}

/// A part of the dashboard. One that throws is shown as "not available" and takes nothing else along.
public struct Card: Sendable {
  public let title: Text
  /// What it shows; nil when there is nothing to show today.
  public let content: @Sendable (Context) throws -> HTML?

  public init(_ title: Text, _ content: @escaping @Sendable (Context) throws -> HTML?) {
    self.title = title
    self.content = content
  }
}
