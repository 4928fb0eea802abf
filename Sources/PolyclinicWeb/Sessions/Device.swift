/// The name of a browser in the list of sessions.
enum Device {
  /// Returns browser and system from the `User-Agent`, such as `Firefox · Windows`, and no other
  /// part of it.
  static func name(of userAgent: String) -> String {
    let browsers = [
      ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
      ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"),
      ("Safari/", "Safari"),
    ]
    let systems = [
      ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"),
      ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]
    let parts = [browsers, systems].compactMap { known in
      known.first { userAgent.contains($0.0) }?.1
    }
    return parts.joined(separator: " · ")
  }
}
