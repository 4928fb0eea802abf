extension Records {
  /// The texts about records that have no name of their own, such as a measurement.
  struct Naming: Sendable {
    /// The suffix of the keys of these texts, such as `weight`.
    let kind: String
    let name: @Sendable (Record) -> Text
  }

  /// Returns these records with a name in the reader's language, for records that people do not
  /// name.
  ///
  /// The module's texts `delete.title.KIND`, `delete.question.KIND` and `delete.done.KIND` are used
  /// for them. The last two receive the `name`.
  public func named(
    _ kind: StaticString, by name: @escaping @Sendable (Record) -> Text
  ) -> Records {
    var records = self
    records.naming = Naming(kind: kind.description, name: name)
    return records
  }

  /// Returns the key of a text about one of the records.
  func key(_ key: String) -> Text { Text(naming.map { "\(key).\($0.kind)" } ?? key) }

  /// Returns a text about one of the records, with its name.
  func sentence(_ key: String, of record: Record) -> Text {
    var sentence = self.key(key)
    if let naming {
      sentence.values = ["name": .text(naming.name(record))]
    } else {
      sentence.arguments = ["name": title(record)]
    }
    return sentence
  }
}
