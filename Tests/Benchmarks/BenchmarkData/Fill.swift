import Appointments
import Contacts
import CovidStats
import Foundation
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicStore
import PolyclinicTesting

/// Makes an installation to measure: `benchmark-data DIRECTORY WWW CONTACTS`.
///
/// `CONTACTS` has a line for each contact: its owner's number, a tab, the form as a browser sends
/// it. Its lines become contacts in their order. `DIRECTORY`, which is there and empty, gets a
/// database, its key, and `cookies.txt` with a line for each owner. An owner's number is the place
/// of the chosen country among the codes. One more person, whose cookie is in `guardian.txt`, acts
/// for the owner with the number ``ownerInCare``.
func fill(_ arguments: [String]) throws {
  guard arguments.count == 3 else { throw Unusable("usage: DIRECTORY WWW CONTACTS") }
  let directory = arguments[0]
  let server = try InProcessServer(
    [AppointmentsModule(), ContactsModule(), CovidStatsModule()], disabled: [], in: directory,
    www: arguments[1],
    clock: { Instant(Int64(Date().timeIntervalSince1970)) })
  let contacts = try contacts(in: arguments[2])
  var (lines, owners): (String, [Int: Keys]) = ("", [:])
  for owner in Set(contacts.map(\.owner)).sorted() {
    let login = "owner\(owner)"
    let browser = Browser(server)
    let cookie = try browser.register(login)
    try browser.choose(Countries.all[owner % Countries.all.count], by: cookie)
    lines += cookie + "\n"
    guard let keys = try server.keys(of: login) else { throw Unusable("no keys of \(login)") }
    owners[owner] = keys
  }
  let guardian = try Browser(server).register("guardian")
  if let keys = try server.keys(of: "guardian"), let inCare = owners[ownerInCare] {
    try server.letAct(keys.person, for: inCare.person)
  }
  try store(contacts, of: owners, in: server.database)
  guard let file = server.database as? SQLiteDatabase else { throw Unusable("no file of SQLite") }
  try file.checkpointTruncate()
  server.database.close()
  try lines.write(toFile: directory + "/cookies.txt", atomically: true, encoding: .utf8)
  try guardian.write(toFile: directory + "/guardian.txt", atomically: true, encoding: .utf8)
}

/// The number of the owner for whom another person acts: `IN_CARE` of `people.py`.
private let ownerInCare = 100

/// A form that somebody sends.
private struct SentContact {
  let owner: Int
  let fields: Fields
}

private func store(
  _ contacts: [SentContact], of owners: [Int: Keys], in database: some Database
) throws {
  // A transaction for each contact would wait for the disk as often.
  let batch = 20_000
  for start in stride(from: 0, to: contacts.count, by: batch) {
    try database.write { connection in
      let unindexed = Unindexed(connection)
      let forms = try owners.mapValues { try NewContact($0, unindexed) }
      for contact in contacts[start...].prefix(batch) {
        try forms[contact.owner]?.save(contact.fields)
      }
    }
  }
  try database.write { connection in
    for keys in owners.values {
      let work = Work(keys: keys, at: NewContact.time, on: connection)
      for index in ContactsModule().rebuildableIndexes { try index.rebuild(work) }
    }
  }
}

private func contacts(in path: String) throws -> [SentContact] {
  try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
    let parts = line.split(separator: "\t")
    guard parts.count == 2, let owner = Int(parts[0]),
      let fields = Fields(urlencoded: Array(parts[1].utf8))
    else { throw Unusable("\(path): \(line)") }
    return SentContact(owner: owner, fields: fields)
  }
}

/// The portal did not do what the figures stand on.
struct Unusable: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
