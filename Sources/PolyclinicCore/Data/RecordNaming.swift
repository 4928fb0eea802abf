extension Records {
  /// How records are spoken of that have no name of their own, such as a measurement.
  struct Naming: Sendable {
    /// The end of the keys of their sentences, such as `weight`.
    let kind: String
    let name: @Sendable (Record) -> Text
  }

  /// These records, called by a sentence in the language of whoever reads it, where people gave them no
  /// name; and spoken of by the module's `delete.title.KIND`, `delete.question.KIND` and
  /// `delete.done.KIND`, of which the last two get the `name`.
  public func named(
    _ kind: StaticString, by name: @escaping @Sendable (Record) -> Text
  ) -> Records {
    var records = self
    records.naming = Naming(kind: kind.description, name: name)
    return records
  }

  /// The key of a sentence about one of them.
  func key(_ key: String) -> Text { Text(naming.map { "\(key).\($0.kind)" } ?? key) }

  /// A sentence about one of them, with its name.
  func sentence(_ key: String, of record: Record, _ context: Context) -> Text {
    var sentence = self.key(key)
    let name = naming.map { context.text($0.name(record)) } ?? title(record)
    sentence.arguments = ["name": name]
    return sentence
  }
}
