/// An error in the modules' declarations. The description tells the developer the contradiction.
struct InstallationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
