import PolyclinicCore
import PolyclinicPortal
import PolyclinicServer
import PolyclinicTesting
import PolyclinicVault
import PolyclinicWeb

extension TestPortal {
  package var ring: KeyRing {
    get throws { try KeyRing.load(at: directory + "/master.key") }
  }

  package var vault: Vault {
    get throws { try database.read { try Vault.open(ring: try ring, on: $0) } }
  }

  /// Returns the path of a person's administration page.
  package func path(of visitor: TestVisitor) throws -> String {
    "/admin/people/\(try keys(of: visitor).person)"
  }

  /// Returns an erasure with this portal's directory as that of its backups, unless another is
  /// given.
  package func erasure(backups: String? = nil, _ checkpoint: @escaping () throws -> Void = {})
    -> Erasure
  {
    Erasure(
      database: database, files: .test(in: directory, backups: backups), migrations: [],
      removeBytes: checkpoint)
  }

  /// Returns the `polyclinic user` commands for this portal.
  package func userCommands() throws -> UserCommands {
    UserCommands(
      installation: try Installation(
        builtIn: [
          AccountsModule(
            files: .none, parts: [], trashes: [], retentions: [],
            programs: []),
          AdministrationModule(FixedSwitch(outcome: .reloading)),
        ], plugins: [KeeperModule()],
        isEnabled: { _ in true }, settings: { _ in Portal.Settings([]) }),
      database: database, vault: try vault,
      passwords: Passwords(cost: Argon2id(memory: 8, passes: 1, lanes: 1)),
      policy: PasswordPolicy(portalName: "Riverside Polyclinic"),
      origin: Portal.Origin(host: "clinic.example", port: 443), language: .english,
      clock: { self.now })
  }
}
