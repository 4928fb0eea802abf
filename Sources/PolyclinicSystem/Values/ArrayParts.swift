extension Array {
  /// Returns the elements in order, in parts of at most `length`.
  package func parts(of length: Int) -> [[Element]] {
    stride(from: 0, to: count, by: length).map { Array(self[$0...].prefix(length)) }
  }
}
