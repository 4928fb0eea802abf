import PolyclinicCore

extension MedicationsModule {
  /// Counts the medicines of all people, for `polyclinic medications count`.
  func count(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    let condition: SQL = call.has("deleted") ? "1 = 1" : "deleted_at IS NULL"
    let count = try portal.read { work in
      try work.integer("SELECT count(*) FROM medications WHERE \(condition)")
    }
    return ["\(count ?? 0)"]
  }
}
