import Foundation
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicSystem
import PolyclinicWeb
import Yams

/// The section `clinic`.
extension ConfigurationReader {
  func clinic() -> Portal.Organization {
    let section = root.section(
      "clinic",
      known: [
        "name", "languages", "time_zone", "contact", "country", "logo", "accent", "welcome",
      ])
    let zone = zone(section)
    var clinic = Portal.Organization(
      name: section.text("name", limit: 200) ?? "Polyclinic", languages: languages(section),
      zone: zone)
    clinic.contact = section.text("contact") ?? ""
    clinic.country = country(section, in: zone)
    clinic.logo = logo(section)
    clinic.accent = accent(section)
    clinic.welcome = texts(section, "welcome", limit: 500)
    return clinic
  }

  /// Returns the absolute path of the logo; empty if none is configured or it is refused.
  private func logo(_ section: ConfigurationSection) -> String {
    guard let text = section.text("logo"), !text.isEmpty else { return "" }
    let path = absolute(text)
    do throws(SystemError) {
      if try ClinicLogo(at: path) != nil { return path }
      section.refuse(
        "logo", "must be an SVG or PNG file of at most \(ClinicLogo.limit) bytes: \(path)")
    } catch {
      section.refuse("logo", "cannot be read: \(path) (\(error))")
    }
    return ""
  }

  /// Returns the colour; empty if none is configured or text would not be legible with it.
  private func accent(_ section: ConfigurationSection) -> String {
    guard let text = section.text("accent"), !text.isEmpty else { return "" }
    guard let accent = Accent(text) else {
      section.refuse("accent", "must be a colour, such as \"#0a6b6c\"")
      return ""
    }
    if accent.isLegible { return text.lowercased() }
    section.refuse(
      "accent",
      "has too little contrast with white text and the portal's light grounds: WCAG 2.2 AA asks for "
        + "4.5:1. The nearest colour that passes is \"\(accent.nearestLegible)\"")
    return ""
  }

  /// Returns the configured country, or else that of the time zone.
  private func country(_ section: ConfigurationSection, in zone: Zone) -> String {
    guard let code = section.text("country"), !code.isEmpty else {
      return zone.country ?? ""
    }
    if Countries.name(code, in: .english) != nil { return code }
    section.refuse("country", "must be two letters of ISO 3166-1, such as BY")
    return ""
  }

  private func languages(_ section: ConfigurationSection) -> [Language] {
    guard let node = section["languages"] else { return Language.allCases }
    let known = Language.allCases.map(\.code)
    guard let items = node.sequence, !items.isEmpty else {
      section.refuse(
        "languages", "must be a list of one or more of \(known.joined(separator: ", "))")
      return Language.allCases
    }
    var languages: [Language] = []
    for item in items {
      let code = item.scalar?.string ?? ""
      guard let language = Language(rawValue: code) else {
        problems.add(
          "clinic.languages", at: item.mark,
          "unknown language \"\(code)\".\(Suggestion(for: code, among: known).sentence)")
        continue
      }
      if languages.contains(language) {
        problems.add("clinic.languages", at: item.mark, "\"\(code)\" stands more than once")
      } else {
        languages.append(language)
      }
    }
    return languages
  }

  private func zone(_ section: ConfigurationSection) -> Zone {
    guard let name = section.text("time_zone") else {
      if !section.has("time_zone") {
        section.refuse("time_zone", "is missing; name the clinic's IANA zone, such as Europe/Minsk")
      }
      return .utc
    }
    if let zone = Self.zone(name) { return zone }
    let nearest = Suggestion(for: name, among: Zone.known).nearest
    let remedy = nearest.map { " Did you mean \"\($0)\"?" } ?? " Known: those of the tzdata package"
    section.refuse("time_zone", "unknown time zone \"\(name)\".\(remedy)")
    return .utc
  }

  /// Returns nil for unknown zones, and for abbreviations and offsets, which Foundation would
  /// accept.
  static func zone(_ name: String) -> Zone? {
    name.contains("/") || name == Zone.utc.identifier ? Zone(name) : nil
  }
}

extension Zone {
  /// A line for each zone: the country's ISO 3166-1 code, coordinates and the zone's name,
  /// separated by tabs (tzdata, zone.tab).
  private static let list = "/usr/share/zoneinfo/zone.tab"

  /// The country of the zone; nil for a zone without one, such as UTC, and on a machine without the
  /// list.
  fileprivate var country: String? {
    (try? TextFile.read(Self.list)).flatMap { country(in: $0) }
  }

  /// Returns the country of the zone in the text of the list.
  func country(in list: String) -> String? {
    for line in list.split(separator: "\n") where !line.hasPrefix("#") {
      let columns = line.split(separator: "\t")
      if columns.count > 2, columns[2] == identifier { return String(columns[0]) }
    }
    return nil
  }
}
