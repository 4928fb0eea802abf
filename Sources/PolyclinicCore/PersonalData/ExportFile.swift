/// One file of a person's data export, in a format that other programs read.
public struct ExportFile: Sendable {
  /// Writes the file, record by record. Receives the work on the person's data, which reads.
  public typealias Content = @Sendable (Work, ByteSink) throws -> Void
  /// Writes a file that also needs the module's portal, for its texts or its address.
  public typealias PortalContent =
    @Sendable (Portal, Work, ByteSink) throws -> Void

  /// The name of the file, such as `contacts.vcf`, unique among all modules.
  public let name: String
  /// Writes the content of the file.
  package let content: PortalContent

  /// Creates a file with its name and content.
  public init(_ name: String, _ content: @escaping Content) {
    self.init(name, asking: { try content($1, $2) })
  }

  /// Creates a file whose content needs the portal, for its texts or its address.
  public init(_ name: String, asking content: @escaping PortalContent) {
    self.name = name
    self.content = content
  }
}
