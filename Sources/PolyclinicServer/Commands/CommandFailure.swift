/// A command could not do what it was asked to; the sentence names the remedy.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
