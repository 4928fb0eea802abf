import PolyclinicCore

/// The settings that say where the figures come from.
extension Refresh {
  /// Returns the values that no refresh can work with, for `polyclinic check`; nil if all are well.
  @Sendable
  static func settingsProblem(_ portal: Portal) throws -> String? {
    let problems = [
      sourceProblem(try portal.settings.text("source")),
      mirrorProblem(try portal.settings.text("mirror")),
      proxyProblem(try portal.settings.text("proxy")),
    ].compactMap(\.self)
    return problems.isEmpty ? nil : problems.joined(separator: "; ")
  }

  private static func sourceProblem(_ source: String) -> String? {
    if Figures.source(named: source) != nil { return nil }
    guard source.hasPrefix("/") else {
      let names = Figures.sources.map(\.name).joined(separator: ", ")
      return "source is “\(source)”: write one of \(names), or the absolute path of a file"
    }
    do { _ = try FigureFile(path: source).open() } catch {
      return "source is “\(source)”, which cannot be read as a file"
    }
    return nil
  }

  private static func mirrorProblem(_ mirror: String) -> String? {
    let isAddress = mirror.hasPrefix("https://") && Setting.Kind.url.accepts(.text(mirror))
    if mirror.isEmpty || isAddress { return nil }
    return "mirror is “\(mirror)”: write an https address, such as https://mirror.example"
  }

  /// Accepts what curl accepts: `[scheme://][user:password@]host[:port]`.
  private static func proxyProblem(_ proxy: String) -> String? {
    let parts = proxy.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    let isKnown = parts.count < 2 || schemes.contains(String(parts[0]))
    let host = parts.last ?? ""
    let isHost = !host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    if proxy.isEmpty || (isKnown && isHost) { return nil }
    return "proxy is not an address such as http://proxy.example:3128"
  }
}
