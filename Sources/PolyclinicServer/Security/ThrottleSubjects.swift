import Foundation

extension Throttle {
  /// What one attempt is counted under: HMACs, from which neither login nor address can be read.
  struct Subjects: Sendable {
    let pair: [UInt8]
    let address: [UInt8]
    let account: [UInt8]

    init(login: String, address: String, _ vault: Vault) {
      let network = Self.network(of: address)
      // The address first: it holds no space, a login might.
      pair = vault.lookup("throttle", "pair:\(network) \(login)")
      self.address = vault.lookup("throttle", "address:\(network)")
      account = Self.account(login, vault)
    }

    static func account(_ login: String, _ vault: Vault) -> [UInt8] {
      vault.lookup("throttle", "account:\(login)")
    }

    /// An IPv4 address as it is, also when written as IPv6; of IPv6 the /64, which is what one
    /// household or machine usually gets (RFC 6177). Anything else, such as `unix:`, as it is.
    static func network(of address: String) -> String {
      var parsed = in6_addr()
      guard inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
      let bytes = withUnsafeBytes(of: &parsed, Array.init)
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
      guard !isMapped else { return bytes[12...].map(String.init).joined(separator: ".") }
      return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
  }
}
