import PolyclinicSystem
import Yams

/// Reads the settings of one machine among several.
extension ConfigurationReader {
  /// The name of this machine: the system's, unless the file has another one.
  func machine(_ section: ConfigurationSection) -> String {
    if let name = section.text("machine", limit: 200) {
      if name.isEmpty { section.refuse("machine", "must be a name") }
      return name
    }
    do throws(SystemError) { return try HostName.current() } catch {
      section.refuse("machine", "is needed, because the system has no short name for this machine")
      return ""
    }
  }

  /// The addresses and networks of the load balancers in front of this machine.
  func balancers(_ section: ConfigurationSection) -> [String] {
    guard let node = section["balancers"] else { return [] }
    let words = node.sequence?.map { $0.tag == Tag(.str) ? $0.scalar?.string ?? "" : "" } ?? [""]
    if let wrong = words.first(where: { !Self.isNetwork($0) }) {
      let quoted = wrong.isEmpty ? "" : ": \"\(wrong)\" is none"
      section.refuse(
        "balancers", "must be a list of addresses or networks, such as [\"192.0.2.7\"]\(quoted)")
      return []
    }
    return words
  }

  /// True for an IPv4 or IPv6 address, also with the length of its network's prefix.
  private static func isNetwork(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let address = parts.first, parts.count <= 2, IPAddress.isValid(address) else {
      return false
    }
    guard parts.count == 2 else { return true }
    guard let length = Int(parts[1]) else { return false }
    return (0...(address.contains(":") ? 128 : 32)).contains(length)
  }
}
