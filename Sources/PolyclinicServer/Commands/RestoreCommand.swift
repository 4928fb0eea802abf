import ArgumentParser
import PolyclinicCore
import PolyclinicPortal
import PolyclinicSystem

struct RestoreCommand: InstallationCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract:
      "Verify a backup and replace the database with it, or restore one person's records.",
    discussion: """
      polyclinic restore BACKUP [--over] [--sheet FILE]: the whole database; the portal must not run.
      polyclinic restore --person LOGIN --from BACKUP [--dry-run]: the records of one person, beside what \
      is there now, also while the portal runs.
      """)

  @OptionGroup var options: InstallationOptions
  @Argument(help: "The backup that replaces the database.") var file: BackupFile?
  @Flag(
    help: "Replace an existing database, which is kept under another name.")
  var over = false
  @Option(help: "A recovery sheet that was typed in, for a lost key file; - reads standard input.")
  var sheet: InputFile?
  @Option(
    help: ArgumentHelp(
      "The \(ErasureLog.name) of another machine, whose erasures are repeated too; may be repeated.",
      valueName: "file"))
  var erasures: [InputFile] = []
  @Option(help: "The login of the person whose records are restored.")
  var person: String?
  @Option(help: "The backup with the person's records.")
  var from: BackupFile?
  @Flag(help: "Print how many records would be restored, and change nothing.")
  var dryRun = false

  func validate() throws {
    if person == nil, from == nil, !dryRun, file != nil { return }
    guard person != nil, from != nil, file == nil, !over, sheet == nil,
      erasures.isEmpty
    else {
      throw ValidationError(
        "Give either a BACKUP, with --over, --sheet or --erasures, or --person LOGIN --from BACKUP, with --dry-run."
      )
    }
  }

  func run() throws {
    let local = try options.localInstallation()
    if let person, let from {
      let restore = try local.restore(of: person, from: from.path)
      return printLines(try restore.lines(dryRun ? .count : .store, at: .current))
    }
    guard let file else { return }
    var restore = try local.restore(file.path, over ? .over : .intoEmptyPlace)
    restore.erasureLogs = try erasures.map { try $0.existingPath }
    let ring = try sheet.map { try RecoverySheet(file: $0.path, for: local).ring }
    do { printLines(try restore.run(sheet: ring, at: .current).lines) } catch let error
      as DatabaseError
    {
      throw Command.Failure("Nothing was restored: \(error.detail).")
    }
  }
}

extension LocalInstallation {
  /// Returns the restore of one person's records.
  func restore(of login: String, from backup: String) throws -> PersonRestore {
    PersonRestore(
      files: files, keyFile: configuration.vault.keyFile,
      installation: try builder().installation(),
      open: { try open() }, backupPath: backup, login: login)
  }
}

extension Restore.Outcome {
  /// The report and advice after a restore.
  var lines: [String] {
    var lines = ["Restored: \(draft.manifest.summary)."]
    if !draft.migrated.isEmpty {
      lines.append("Brought up to this release: \(words(draft.migrated)).")
    }
    if !draft.leftOut.isEmpty {
      let tables = draft.leftOut.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      lines.append(
        "Left out, because no migration makes these tables, with their numbers of rows: "
          + "\(tables.joined(separator: ", ")).")
    }
    if draft.erased > 0 {
      let people = draft.erased == 1 ? "1 person" : "\(draft.erased) people"
      lines.append("Forgotten again, as erased after the backup: \(people).")
    }
    if !draft.unreadable.isEmpty {
      let numbers = draft.unreadable.map(\.description).joined(separator: ", ")
      lines.append(
        "Damaged before the backup was made, at least of the people with these numbers: \(numbers). An "
          + "earlier backup may have what is missing; polyclinic check names all of it.")
    }
    lines.append(
      "Everybody has to sign in again. One-time links, trusted browsers, programs' tokens and addresses of "
        + "calendars of before do not work, and e-mails that waited are not sent: all that they say stands "
        + "in the inbox.")
    if let formerPath {
      lines.append(
        "The former database is kept as \(formerPath). Delete it once you no longer need it: it holds "
          + "everybody's data and keys. Later erasures change it too, and polyclinic check names it."
      )
    }
    if let formerProblem {
      lines.append(
        "It could not be read (\(formerProblem)): who was erased was taken from \(ErasureLog.name) and "
          + "the backup alone. No erasure is complete until that file is deleted.")
    }
    return lines + ["Next: polyclinic check, then start the portal."]
  }

  private func words(_ steps: [some CustomStringConvertible]) -> String {
    steps.map(\.description).joined(separator: ", ")
  }
}
