import PolyclinicCore

/// The meaning of the marks on a map.
enum MapLegend {
  /// Returns an entry with the picture of a mark, drawn by the same classes as on the map.
  static func entry(_ label: Text, _ mark: StaticString, _ context: Context) -> HTML {
    """
    <li><svg viewBox="-24 -24 48 48" aria-hidden="true"><g class="\(mark)"><circle r="18"/>\
    <circle class="dot" r="6"/></g></svg>\(context.text(label))</li>
    """
  }
}
