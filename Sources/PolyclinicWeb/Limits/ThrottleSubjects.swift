import PolyclinicSystem
import PolyclinicVault

extension Throttle {
  /// The subjects that an attempt is counted for, as HMACs, which reveal neither login nor address.
  struct Subjects: Sendable {
    let pair: [UInt8]
    let address: [UInt8]
    let account: [UInt8]

    init(login: String, address: String, _ vault: Vault) {
      let network = IPNetwork(of: address).name
      // The address comes first, because it contains no space and a login might.
      pair = vault.lookup("throttle", "pair:\(network) \(login)")
      self.address = vault.lookup("throttle", "address:\(network)")
      account = Self.account(login, vault)
    }

    static func account(_ login: String, _ vault: Vault) -> [UInt8] {
      vault.lookup("throttle", "account:\(login)")
    }
  }
}
