/// An error: the program was used in a way that cannot work. The text names the remedy.
package struct Misuse: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
