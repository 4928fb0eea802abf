import ArgumentParser
import Glibc
import PolyclinicCore
import PolyclinicStore

struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault",
    abstract: "The master key on paper and back, and the hash of an address in the log.",
    subcommands: [Sheet.self, RestoreKey.self, Address.self])

  struct Sheet: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sheet",
      abstract: "Print the master keys as a recovery sheet for the safe: vault sheet | lp")
    @OptionGroup var options: PlaceOptions

    func run() throws {
      let configuration = try options.place().configuration
      let ring = try KeyRing.load(at: configuration.vault.keyFile)
      let today = CalendarDate(daysSince1970: Int(Instant.current.seconds / 86_400))
      printLines(RecoverySheet.lines(ring, clinic: configuration.clinic.name, printed: today))
    }
  }

  struct RestoreKey: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore",
      abstract: "Make the lost key file of a database that is there from its recovery sheet.")
    @OptionGroup var options: PlaceOptions
    @ArgumentParser.Option(help: "The recovery sheet that was typed in; - reads what is typed.")
    var sheet: String

    func run() throws {
      let place = try options.place()
      let path = place.configuration.vault.keyFile
      guard FirstKey.Presence(of: path) == .absent else {
        throw KeyRingError.alreadyThere(path: path)
      }
      let ring = try RecoverySheet.ring(file: sheet, for: place)
      // Beside a database only the key that opens it is made.
      let database = try SQLiteDatabase.open(place.databasePath)
      defer { database.close() }
      _ = try database.read { try Vault.open(ring: ring, on: $0) }
      try ring.save()
      try FileOwner.give(path, to: FilePath.directory(of: place.databasePath))
      print("Made the key file \(path), which opens \(place.databasePath).")
    }
  }

  struct Address: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "address",
      abstract: "Print the hash by which the log names a network address: from=…")
    @OptionGroup var options: PlaceOptions
    @Argument(help: "An IPv4 or IPv6 address.")
    var address: String

    func run() throws {
      let (database, ring) = try options.place().open()
      defer { database.close() }
      let vault = try database.read { try Vault.open(ring: ring, on: $0) }
      print("from=\(SecurityLog.source(address, vault))")
    }
  }
}

extension RecoverySheet {
  /// The keys of a sheet that was typed into a file, or is typed now up to the end of the input.
  static func ring(file: String, for place: Place) throws -> KeyRing {
    let text: String
    if file == "-" {
      var lines: [String] = []
      while let line = readLine() { lines.append(line) }
      text = lines.joined(separator: "\n")
    } else {
      let bytes = try OpenFile(FilePath.absolute(file), O_RDONLY).read(atMost: 65_536)
      text = IncomingText(bytes).repaired
    }
    return try ring(text, path: place.configuration.vault.keyFile)
  }
}
