import PolyclinicCore

/// The automatic refresh of a staff page, which the visitor turns on, because patients keep coming.
///
/// It is off by default: without scripts, each refresh moves the focus of a keyboard or screen
/// reader back to the top (WCAG 2.2.1). The choice is kept in the browser and holds for the pages
/// of a day, and for the doctor's waiting list in a browser without scripts.
struct AutoRefresh {
  /// The address of the page, without a query.
  let path: Path
  let context: Context

  private static let (parameter, cookie): (String, StaticString) = ("live", "live")

  /// True as chosen in the address, else as chosen before in this browser.
  private var isOn: Bool {
    let chosen = context.request.query[Self.parameter]
    return (chosen.isEmpty ? context.keptInBrowser(Self.cookie) : chosen) == "1"
  }

  /// The seconds between two refreshes; nil if it is off.
  var seconds: Int? { isOn ? 30 : nil }

  /// The button that turns the refresh on or off.
  var button: HTML {
    context.button(
      isOn ? "queue.live.stop" : "queue.live", to: path.query([Self.parameter: isOn ? "0" : "1"]),
      style: .secondary)
  }

  /// Returns the route of a page, whose response keeps the choice that the address makes.
  static func route<Served: RoutedPage>(of page: Served.Type) -> Route {
    .get(Served.address.pattern, access: Served.access) { context in
      let response = Response.page(try Served(context).page)
      let chosen = context.request.query[parameter]
      return ["0", "1"].contains(chosen)
        ? response.keeping(chosen, inBrowserOf: context.module, as: cookie) : response
    }
  }
}
