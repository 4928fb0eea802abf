/// One file of a person's copy of their data, in a format that other programs read.
public struct ExportFile: Sendable {
  /// Writes the file, record by record; gets the person's keys and a connection that reads.
  public typealias Content = @Sendable (Keys, Connection, ByteSink) throws -> Void

  /// What it is called, such as `contacts.vcf`; each name once in all modules.
  public let name: String
  /// What is in it.
  public let content: Content

  /// A file with its name.
  public init(_ name: String, _ content: @escaping Content) {
    self.name = name
    self.content = content
  }
}
