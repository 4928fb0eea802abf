/// The difference of a typed name from a name that it may mean.
enum Slips {
  /// Returns the least number of slips by which `typed` differs from a beginning of `name`. A slip is a
  /// missing, an additional or a wrong letter, or two letters in the wrong order.
  ///
  /// This is the distance of optimal string alignment, with any end of `name` left out.
  static func count(in typed: [Unicode.Scalar], for name: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...name.count)
    for (row, letter) in typed.enumerated() {
      var next = [row + 1]
      for (column, other) in name.enumerated() {
        var slips = min(
          last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == other {
          slips = min(slips, before[column - 1] + 1)
        }
        next.append(slips)
      }
      (before, last) = (last, next)
    }
    return last.min() ?? typed.count
  }
}
