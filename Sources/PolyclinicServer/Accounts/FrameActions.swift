import Logging
import PolyclinicCore

/// What the frame of every page offers: signing out, another language; and what waits for approval.
extension AccountsModule {
  func signOut(_ context: Context) throws -> Response {
    do { try context.visit?.signOut() } catch let error as DatabaseError {
      // The browser forgets its session all the same; the stored one ends by itself.
      Logger(label: "accounts").error("a session was not ended", metadata: error.metadata)
    }
    return .redirect(to: "/")
  }

  func chooseLanguage(_ context: Context) throws -> Response {
    let fields = context.request.fields
    guard let language = Language(rawValue: fields["language"]),
      context.portal.clinic.languages.contains(language)
    else { throw Refusal.malformed }
    context.visit?.speak(language)
    if let visitor = context.visitor {
      try context.database.write {
        try Account.setLanguage(language, of: visitor.person, on: $0)
      }
    }
    return .redirect(to: Path(local: fields["next"]) ?? "/")
  }

  /// Told on the dashboard while a role waits for approval.
  func approval(_ context: Context) throws -> HTML? {
    let visitor = try context.signedIn()
    let account = try context.database.read { try Account.find(visitor.person, on: $0) }
    guard let wanted = account?.wantedRole else { return nil }
    return "<p>\(context.text(Text("approval.\(wanted.rawValue)")))</p>"
  }
}
