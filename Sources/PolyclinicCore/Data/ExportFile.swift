/// One file of a person's copy of their data, in a format that other programs read.
public struct ExportFile: Sendable {
  /// Writes the file, record by record; gets the person's keys and a connection that reads.
  public typealias Content = @Sendable (Keys, Connection, ByteSink) throws -> Void
  /// Writes a file that needs the module's portal besides, for its words or its address.
  public typealias PortalContent = @Sendable (Portal, Keys, Connection, ByteSink) throws -> Void

  /// What it is called, such as `contacts.vcf`; each name once in all modules.
  public let name: String
  /// What is in it.
  package let content: PortalContent

  /// A file with its name.
  public init(_ name: String, _ content: @escaping Content) {
    self.init(name, asking: { try content($1, $2, $3) })
  }

  /// A file with its name, whose content asks the portal for words or its address.
  public init(_ name: String, asking content: @escaping PortalContent) {
    self.name = name
    self.content = content
  }
}
