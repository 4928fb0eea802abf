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
    "<div class=\"map-tools\">\(path.flatMap { links($0, context) } ?? buttons(context))</div>"
  }

  private func links(_ path: (Fields) -> Path, _ context: Context) -> HTML? {
    guard let view else { return nil }
    var tools: [(label: Text, sign: StaticString, part: Fields?)] = [
      ("map.zoom-in", "+", view.zoomedIn), ("map.zoom-out", "−", view.zoomedOut),
    ]
    tools += MapView.Move.allCases.map { ($0.label, $0.sign, view.moved($0)) }
    if isMoved { tools.append(("map.all", "◎", Fields())) }
    return
      "\(each: tools, { tool in tool.part.map { link($0, tool.label, tool.sign, path, context) } ?? HTML() })"
  }

  private func link(
    _ part: Fields, _ label: Text, _ sign: StaticString, _ path: (Fields) -> Path,
    _ context: Context
  ) -> HTML {
    """
    <a class="tool" href="\(path(part))#map" aria-label="\(context.text(label))" \
    title="\(context.text(label))">\(sign)</a>
    """
  }

  /// Returns buttons for the script, because the address of another part of this map would tell the
  /// visitor's place.
  private func buttons(_ context: Context) -> HTML {
    """
    \(button("map.zoom-in", "in", "+", context))\(button("map.zoom-out", "out", "−", context))
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
