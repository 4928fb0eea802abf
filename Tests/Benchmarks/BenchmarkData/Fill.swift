import Contacts
import Foundation
import PolyclinicCore
import PolyclinicServer

/// Makes an installation to measure: `benchmark-data DIRECTORY WWW CONTACTS`.
///
/// `CONTACTS` has a line for each contact: its owner's number, a tab, its name. `DIRECTORY`, which is
/// there and empty, gets a database, its key, and `cookies.txt` with a line for each owner.
func fill(_ arguments: [String]) throws {
  guard arguments.count == 3 else { throw Unusable("usage: DIRECTORY WWW CONTACTS") }
  let directory = arguments[0]
  let rehearsal = try Rehearsal(
    [ContactsModule()], disabled: [], in: directory, www: arguments[1],
    clock: { Instant(Int64(Date().timeIntervalSince1970)) })
  let database = rehearsal.database
  var lines = ""
  for (owner, names) in try contacts(in: arguments[2]).sorted(by: { $0.key < $1.key }) {
    let login = "owner\(owner)"
    lines += try Browser(rehearsal).register(login) + "\n"
    guard let keys = try rehearsal.keys(of: login) else { throw Unusable("no keys of \(login)") }
    // A transaction for each contact would wait for the disk two hundred thousand times.
    try database.write { connection in
      let form = try NewContact(keys, database: OneTransaction(connection))
      for name in names { try form.save(name) }
    }
  }
  try database.checkpointTruncate()
  database.close()
  try lines.write(toFile: directory + "/cookies.txt", atomically: true, encoding: .utf8)
}

/// The names of each owner's contacts.
private func contacts(in path: String) throws -> [Int: [String]] {
  var contacts: [Int: [String]] = [:]
  for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
    let parts = line.split(separator: "\t")
    guard parts.count == 2, let owner = Int(parts[0]) else { throw Unusable("\(path): \(line)") }
    contacts[owner, default: []].append(String(parts[1]))
  }
  return contacts
}

/// The portal did not do what the figures stand on.
struct Unusable: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
