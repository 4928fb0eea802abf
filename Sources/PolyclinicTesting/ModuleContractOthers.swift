import PolyclinicCore

/// The contract of what people can do to the data of others.
extension ModuleContract {
  /// A word that no text of the portal contains. It is added to the texts that one person types.
  static let word = "Zyxwabc"

  /// Another person changes no row of a person's, and is shown no word that only that person typed.
  func othersAreReached() throws -> [String] {
    let portal = try preparedPortal()
    let anna = try portal.register()
    let boris = try portal.register()
    anna.mark = Self.word
    try fill(anna)
    let rows = try portal.moduleRows(of: portal.person(of: anna))
    try fill(boris)
    let replaced = rows.tablesWithLosses(in: try portal.moduleRows()).map {
      "another person who stores something changes rows of \($0)"
    }
    if !replaced.isEmpty { return replaced }
    var other = try SecondPerson(boris, reaching: anna, whoTyped: Self.word)
    try other.tryEverything()
    let keys = try portal.keys(of: boris)
    let copy = try portal.read {
      let work = $0.with(keys)
      return try JSON.Writer.bytes { try module.personalData.export(work, $0) }
    }
    let isLeaked = String(decoding: copy, as: UTF8.self).contains(Self.word)
    let broken =
      other.broken + (isLeaked ? ["the export of another person has what a person typed"] : [])
    return try broken.isEmpty ? guardiansMixPeople() : broken
  }
}
