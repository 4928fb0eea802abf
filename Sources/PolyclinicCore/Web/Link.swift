/// An entry of the navigation.
public struct Link: Sendable {
  /// What is read.
  public let title: Text
  /// Relative to the module.
  public let path: Path
  /// Above the pages on which the entry is marked as the current one; relative to the module.
  public let area: Path
  /// Who sees the entry; the page behind it asks for itself.
  public let access: Access
  /// The picture beside it on the dashboard.
  public let icon: Icon
  /// Said below it on the dashboard: what one finds there.
  public let about: Text?
  /// What people most often go there for: buttons of the dashboard.
  public let actions: [Link]
  /// The role that lands here after signing in, if any; each role has at most one such page.
  public let landing: Role?

  /// An entry that leads to `path`, and is the current one there and below, or in all of `area`: both
  /// are relative to the module.
  public init(
    _ title: Text, to path: Path, area: Path? = nil, access: Access = .signedIn,
    icon: Icon = .document, about: Text? = nil, actions: [Link] = [], landing: Role? = nil
  ) {
    self.title = title
    self.path = path
    self.area = area ?? path
    self.access = access
    self.icon = icon
    self.about = about
    self.actions = actions
    self.landing = landing
  }
}

/// A part of the dashboard. One that throws is shown as "not available" and takes nothing else along.
public struct Card: Sendable {
  /// Its heading.
  public let title: Text
  /// Who sees it.
  public let access: Access
  /// The role that sees it before all other cards, if any.
  public let first: Role?
  /// What it shows; nil when there is nothing to show today.
  public let content: @Sendable (Context) throws -> HTML?

  /// `content` is asked each time the dashboard is shown to somebody who may see it.
  public init(
    _ title: Text, access: Access = .signedIn, first: Role? = nil,
    _ content: @escaping @Sendable (Context) throws -> HTML?
  ) {
    self.title = title
    self.access = access
    self.first = first
    self.content = content
  }
}
