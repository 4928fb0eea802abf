extension Schema {
  /// The changes from this schema to a later one that a release which was written for this one
  /// cannot live with, a sentence each; empty when its statements find all that they need and may
  /// write what they did.
  ///
  /// New tables, and new columns that may be left out, are no such change.
  public func breaches(after later: Schema) -> [String] {
    let changed = tables.flatMap { name, table in
      guard let other = later.tables[name] else { return ["table \(name) is gone"] }
      return table.breaches(after: other, named: name)
    }
    let added = later.tables.filter { tables[$0.key] == nil }.flatMap { name, table in
      table.foreignKeys.filter { tables[$0.table] != nil }.compactMap { $0.hold(by: name) }
    }
    return (changed + added).sorted()
  }
}

extension Schema.Table {
  fileprivate func breaches(after later: Self, named name: String) -> [String] {
    var breaches: [String] = []
    if later.isStrict && !isStrict { breaches.append("table \(name) has become STRICT") }
    if later.hasRowID != hasRowID { breaches.append("table \(name) has another kind of key") }
    for (column, before) in columns {
      breaches += before.breaches(after: later.columns[column], named: "\(name).\(column)")
    }
    let newColumns = Set(later.columns.keys).subtracting(columns.keys)
    for column in newColumns where later.columns[column]?.hasToBeGiven ?? false {
      breaches.append("column \(name).\(column) is new, NOT NULL, and has no default")
    }
    breaches += later.checks.subtracting(checks).map { "table \(name) has a new CHECK \($0)" }
    breaches += later.uniqueKeys.subtracting(uniqueKeys).map {
      "table \(name) has a new unique key \($0)"
    }
    breaches += uniqueKeys.subtracting(later.uniqueKeys).map {
      "table \(name) lacks the unique key \($0)"
    }
    breaches += foreignKeyBreaches(after: later, named: name, newColumns: newColumns)
    breaches += triggerBreaches(after: later, named: name)
    return breaches
  }

  /// An erasure needs the reference that takes rows along.
  private func foreignKeyBreaches(
    after later: Self, named name: String, newColumns: Set<String>
  ) -> [String] {
    foreignKeys.subtracting(later.foreignKeys).map { "table \(name) lacks the foreign key \($0)" }
      + later.foreignKeys.subtracting(foreignKeys).compactMap { key in
        newColumns.isDisjoint(with: key.columns)
          ? "table \(name) has a new foreign key \(key)" : key.hold(by: name)
      }
  }

  private func triggerBreaches(after later: Self, named name: String) -> [String] {
    triggers.filter { later.triggers[$0.key] != $0.value }.map {
      "trigger \($0.key) of table \(name) is gone or another"
    }
      + later.triggers.filter { triggers[$0.key] == nil }.map {
        "table \(name) has a new trigger \($0.key)"
      }
  }
}

extension Schema.Column {
  /// True if an INSERT that does not name the column fails.
  fileprivate var hasToBeGiven: Bool { isRequired && defaultValue == nil && !isComputed }

  fileprivate func breaches(after later: Self?, named name: String) -> [String] {
    guard let later else { return ["column \(name) is gone"] }
    var breaches: [String] = []
    if later.type != type { breaches.append("column \(name) has another type") }
    if later.isRequired && !isRequired { breaches.append("column \(name) has become NOT NULL") }
    if !later.isRequired && isRequired { breaches.append("column \(name) may be NULL now") }
    if later.defaultValue != defaultValue { breaches.append("column \(name) has another default") }
    if later.keyPlace != keyPlace {
      breaches.append("column \(name) has another place in the primary key")
    }
    if later.isComputed != isComputed { breaches.append("column \(name) is computed otherwise") }
    return breaches
  }
}

extension Schema.ForeignKey: CustomStringConvertible {
  var description: String {
    "(\(columns.joined(separator: ", "))) to \(table), ON DELETE \(onDelete)"
  }

  /// A release that does not know this key deletes rows that it refers to; nil where it can.
  fileprivate func hold(by name: String) -> String? {
    let letsRowsGo = ["CASCADE", "SET NULL", "SET DEFAULT"].contains(onDelete)
    return letsRowsGo
      ? nil : "table \(name) keeps rows from being deleted by its foreign key \(self)"
  }
}
