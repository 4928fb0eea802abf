import PolyclinicCore

/// The links and buttons that zoom and move a map.
struct MapTools {
  private let view: MapView?
  /// True if the map does not show all clinics.
  private let isMoved: Bool
  private let path: ((Fields) -> Path)?

  /// Links lead from `view` to other parts of the map, whose addresses `path` returns.
  init(from view: MapView?, isMoved: Bool, _ path: ((Fields) -> Path)?) {
    self.view = view
    self.isMoved = isMoved
    self.path = path
  }

  func html(_ context: Context) -> HTML {
    guard let path, let view else { return buttons(context) }
    let moves = MapView.Move.allCases.map { move in
      view.moved(move).map { tool(path($0), move.label, "tool \(move.rawValue)", move.sign, context) }
    }
    return """
      <div class="map-zoom">\(view.zoomedIn.map { tool(path($0), "map.zoom-in", "tool", "+", context) })\
      \(view.zoomedOut.map { tool(path($0), "map.zoom-out", "tool", "−", context) })\
      \(isMoved ? tool(path(Fields()), "map.all", "tool all", "◎", context) : nil)</div>\
      \(moves.compactMap(\.self))
      """
  }

  private func tool(
    _ path: Path, _ label: Text, _ style: String, _ sign: StaticString, _ context: Context
  ) -> HTML {
    """
    <a class="\(style)" href="\(path)" data-tool aria-label="\(context.text(label))" \
    title="\(context.text(label))">\(sign)</a>
    """
  }

  /// Returns buttons for the script, because the address of another part of this map would tell the visitor's place.
  private func buttons(_ context: Context) -> HTML {
    """
    <div class="map-zoom">\(button("map.zoom-in", "in", "+", context))\
    \(button("map.zoom-out", "out", "−", context))</div>
    """
  }

  private func button(
    _ label: Text, _ zoom: StaticString, _ sign: StaticString, _ context: Context
  ) -> HTML {
    """
    <button type="button" class="tool" data-zoom="\(zoom)" hidden aria-label="\(context.text(label))" \
    title="\(context.text(label))">\(sign)</button>
    """
  }
}

extension MapView.Move {
  fileprivate var label: Text {
    switch self {
    case .north: "map.north"
    case .south: "map.south"
    case .west: "map.west"
    case .east: "map.east"
    }
  }

  fileprivate var sign: StaticString {
    switch self {
    case .north: "↑"
    case .south: "↓"
    case .west: "←"
    case .east: "→"
    }
  }
}
