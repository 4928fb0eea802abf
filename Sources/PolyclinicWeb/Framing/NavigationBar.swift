import PolyclinicCore

/// The links to the modules: tabs on a wide screen, a bar at the bottom of a phone.
///
/// A phone has room for five entries. If there are more, it shows four and a menu with the rest,
/// which the list of tabs contains too. With large text it has room for three. The style sheet shows
/// each entry in one place.
struct NavigationBar {
  let entries: [Entry]
  /// The path of the icons.
  let icons: Path
  let label: String
  /// The name of the menu.
  let more: String

  struct Entry {
    let path: Path
    let icon: Icon
    let title: String
    let isCurrent: Bool
    let isLast: Bool
  }

  /// The most entries of a phone's bar, the menu included.
  private static let most = 5
  /// The most entries of a phone's bar with large text.
  private static let mostLarge = 3

  /// The navigation; nil if there is at most one page to go to.
  var html: HTML? {
    if entries.count < 2 { return nil }
    let isMany = entries.count > Self.most
    let shown = isMany ? Self.most - 1 : entries.count
    let largest = entries.count > Self.mostLarge ? Self.mostLarge - 1 : entries.count
    let list: [HTML] = entries.enumerated().map { number, entry in
      item(
        entry, icon: number < shown ? picture(entry.icon.rawValue) : nil,
        style: number < largest ? "" : "usual")
    }
    let rest: [HTML] = entries.enumerated().dropFirst(largest).map { number, entry in
      item(
        entry, icon: picture(entry.icon.rawValue), style: number < shown ? "large-text" : "")
    }
    return """
      <nav class="modules\(attribute: " many", if: isMany)" aria-label="\(label)"><ul>\(list)</ul>\
      \(rest.isEmpty ? nil : menu(rest, of: entries.dropFirst(shown)))</nav>
      """
  }

  /// Returns the menu, which stands in the usual bar if it has entries of its own there.
  private func menu(_ items: [HTML], of usual: ArraySlice<Entry>) -> HTML {
    let style =
      usual.isEmpty ? "large-text" : usual.contains(where: \.isCurrent) ? "current" : ""
    return """
      <details\(style.isEmpty ? nil : " class=\"\(style)\"")><summary><span>\(picture("more"))\
      \(more)</span></summary><ul>\(items)</ul></details>
      """
  }

  private func item(_ entry: Entry, icon: HTML?, style: StaticString) -> HTML {
    let styles = [entry.isCurrent ? "current" : "", style.description].filter { !$0.isEmpty }
      .joined(separator: " ")
    return """
      <li\(styles.isEmpty ? nil : " class=\"\(styles)\"")><a href="\(entry.path)"\
      \(attribute: " aria-current=\"page\"", if: entry.isCurrent)>\(icon)<span>\(entry.title)</span></a></li>
      """
  }

  private func picture(_ name: String) -> HTML {
    "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"\(icons)#\(name)\"/></svg>"
  }
}
