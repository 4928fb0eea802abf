extension Context {
  /// Returns the invitation to turn on notifications of the browser, which `why` gives a reason
  /// for.
  ///
  /// A page with it has the script `browser-notices.js`, which shows it if the browser supports
  /// notifications and nobody has decided yet. Only a press of its button asks for the permission.
  public func browserNoticesInvitation(_ why: Text = "browser.invitation") -> HTML {
    let ask = scriptButton(
      "browser.ask", style: [.secondary, .small],
      attributes: """
         data-granted="\(text("browser.granted"))" \
        data-denied="\(text("browser.denied"))"
        """)
    return .notice(
      .remark, "<p>\(text(why))</p>\(ask)", style: "",
      attributes: " id=\"browser-notices\" data-kept hidden")
  }
}
