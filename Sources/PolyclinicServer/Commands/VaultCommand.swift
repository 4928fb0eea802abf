import ArgumentParser
import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault",
    abstract: "Print, restore or rotate the master key; hash an address as the log does.",
    subcommands: [Sheet.self, RestoreKey.self, Rotate.self, Address.self])

  struct Sheet: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "sheet",
      abstract: "Print the master keys as a recovery sheet for the safe: vault sheet | lp")
    @OptionGroup var options: InstallationOptions
    @ArgumentParser.Option(
      help: "Check a sheet that was typed in, instead of printing one; - reads standard input.")
    var check: InputFile?

    func run() throws {
      let local = try options.localInstallation()
      let configuration = local.configuration
      let ring = try KeyRing.load(at: configuration.vault.keyFile)
      if let check {
        try RecoverySheet(file: check.path, for: local).ring.requireSame(as: ring)
        print("The sheet holds all keys of \(configuration.vault.keyFile).")
        return
      }
      let today = CalendarDate(daysSince1970: Int(Instant.current.seconds / 86_400))
      printLines(RecoverySheet(ring).lines(clinic: configuration.clinic.name, printed: today))
    }
  }

  struct RestoreKey: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore",
      abstract: "Restore the lost key file of an existing database from its recovery sheet.")
    @OptionGroup var options: InstallationOptions
    @ArgumentParser.Option(help: "The recovery sheet that was typed in; - reads standard input.")
    var sheet: InputFile

    func run() throws {
      let local = try options.localInstallation()
      let path = local.configuration.vault.keyFile
      guard FirstKey.Presence(of: path) == .absent else {
        throw KeyRingError.alreadyThere(path: path)
      }
      let ring = try RecoverySheet(file: sheet.path, for: local).ring
      // Creates only the key that opens the existing database.
      let database = try local.configuration.database.open()
      defer { database.close() }
      try RecoverySheet.tellingWhatItLacks {
        _ = try database.read { try Vault.open(ring: ring, on: $0) }
      }
      try ring.save()
      try OpenFile.give(path, toOwnerOf: local.files.directory)
      print("Made the key file \(path), which opens \(local.configuration.database.name).")
    }
  }

  struct Rotate: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate",
      abstract: "Create a new master key and wrap all other keys with it, while the portal runs."
    )
    @OptionGroup var options: InstallationOptions

    func run() throws {
      let local = try options.localInstallation()
      let (database, ring) = try local.open()
      defer { database.close() }
      let rotation = KeyRotation(
        database: database, path: ring.path,
        lacking: { ring in
          let others = try database.read { try Machine.all(on: $0) }
            .filter { $0.name != local.configuration.server.machine }
          return others.lacking(keyRing: ring.digest)
        },
        report: { step in
          print(step)
          // Flushes even into a pipe, because its reader may wait for the line.
          fflush(nil)
        })
      printLines(try rotation.run(at: .current).lines)
    }
  }

  struct Address: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "address",
      abstract: "Print the hash that stands for a network address in the log: from=…")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "An IPv4 or IPv6 address.")
    var address: String

    func run() throws {
      let (database, ring) = try options.localInstallation().open()
      defer { database.close() }
      let vault = try database.read { try Vault.open(ring: ring, on: $0) }
      print("from=\(SecurityLog.source(address, vault))")
    }
  }
}

extension KeyRotation.Step: CustomStringConvertible {
  package var description: String {
    switch self {
    case .keyAdded(let id): "The key file holds the new master key \(id)."
    case .lookupKeyWrapped: "New accounts use it from now on."
    case .peopleWrapped(let count, let all): "Keys of people wrapped by it: \(count) of \(all)."
    }
  }
}

extension KeyRotation.Outcome {
  /// The report and the next steps for the administrator.
  fileprivate var lines: [String] {
    if case .distributing(let machines) = manner {
      return [
        "The new master key \(key.id) wraps nothing yet. Copy the key file to these machines, in place of "
          + "theirs and readable by the portal's user alone: \(machines.joined(separator: ", ")).",
        "Next: run the same command again, which then goes on with this key.",
      ]
    }
    var lines = [
      manner == .begun
        ? "The master key is \(key.id) now."
        : "An earlier rotation is complete now, or a backup of before one is brought up to it: the master "
          + "key is \(key.id) of \(key.created). No further key was made; for one, run the same command "
          + "again."
    ]
    if !unreadable.isEmpty {
      lines.append(
        "Damaged before, and left as they are, are the keys of the people with these numbers: "
          + "\(unreadable.map(\.description).joined(separator: ", ")). See: polyclinic check")
    }
    return lines + [
      "Recovery sheets and copies of the key file from before are old: they open earlier backups, and "
        + "neither the database nor later backups.",
      "Next: print a new sheet (polyclinic vault sheet | lp), renew copies of the key file, and then "
        + "destroy the old ones. Older keys stay in the new sheet and file, for the earlier backups.",
    ]
  }
}

extension RecoverySheet {
  /// Reads a typed sheet from a file, or from standard input for `-`.
  init(file: String, for local: LocalInstallation) throws {
    let text: String
    if file == "-" {
      var lines: [String] = []
      while let line = readLine() { lines.append(line) }
      text = lines.joined(separator: "\n")
    } else {
      let bytes = try OpenFile.reading(FilePath.absolute(file)).read(atMost: 65_536)
      text = IncomingText(bytes).repaired
    }
    try self.init(text, path: local.configuration.vault.keyFile)
  }
}
