import PolyclinicCore

extension DatabaseError {
  /// What has happened, and what to do, for a terminal.
  var sentence: String {
    switch kind {
    case .corrupt:
      "The database is damaged, or the file is none (\(detail)). Keep a copy of the file, and restore "
        + "a backup: polyclinic restore FILE --over"
    case .full: "There is no room on the disk for the database (\(detail)). Make some."
    case .readOnly:
      "The database cannot be written (\(detail)). It and its directory have to belong to whoever runs "
        + "the portal."
    case .busy: "The database is in use by others for too long (\(detail)). Try again."
    case .missing: detail
    case .unique, .foreignKey, .constraint, .other: "The database failed: \(detail) (\(code))."
    }
  }
}
