import PolyclinicCore

/// The links to the modules: tabs on a wide screen, a bar at the bottom of a phone.
///
/// A phone has room for five entries. If there are more, it shows four and a menu with the rest,
/// which the list of tabs contains too. The style sheet shows one of the two.
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
  }

  /// The most entries of a phone's bar, the menu included.
  private static let most = 5

  /// The navigation; nil if there is at most one page to go to.
  var html: HTML? {
    if entries.count < 2 { return nil }
    let isMany = entries.count > Self.most
    let shown = isMany ? Self.most - 1 : entries.count
    return """
      <nav class="modules\(attribute: " many", if: isMany)" aria-label="\(label)"><ul>\
      \(each: entries.enumerated(), { number, entry in
        item(entry, icon: number < shown ? picture(entry.icon.rawValue) : nil)
      })</ul>\(isMany ? menu(entries.dropFirst(shown)) : nil)</nav>
      """
  }

  private func menu(_ rest: ArraySlice<Entry>) -> HTML {
    let isCurrent = rest.contains(where: \.isCurrent)
    return """
      <details\(attribute: " class=\"current\"", if: isCurrent)><summary><span>\(picture("more"))\
      \(more)</span></summary><ul>\(each: rest, { item($0, icon: picture($0.icon.rawValue)) })</ul></details>
      """
  }

  private func item(_ entry: Entry, icon: HTML?) -> HTML {
    """
    <li\(attribute: " class=\"current\"", if: entry.isCurrent)><a href="\(entry.path)"\
    \(attribute: " aria-current=\"page\"", if: entry.isCurrent)>\(icon)<span>\(entry.title)</span></a></li>
    """
  }

  private func picture(_ name: String) -> HTML {
    "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"\(icons)#\(name)\"/></svg>"
  }
}
