/// The difference of a typed word from a word that it may mean.
///
/// A slip is a missing, an additional or a wrong letter, or two letters in the wrong order. The
/// number of slips is the distance of optimal string alignment (the restricted form of Damerau, "A
/// technique for computer detection and correction of spelling errors", 1964).
package enum Slips {
  /// Returns the least number of slips by which `typed` differs from `word`.
  package static func count(in typed: [Unicode.Scalar], for word: [Unicode.Scalar]) -> Int {
    counts(in: typed, for: word).last ?? typed.count
  }

  /// Returns the least number of slips by which `typed` differs from a beginning of `word`.
  package static func count(
    in typed: [Unicode.Scalar], forBeginningOf word: [Unicode.Scalar]
  ) -> Int {
    counts(in: typed, for: word).min() ?? typed.count
  }

  /// Returns the numbers of slips for each beginning of `word`, the shortest first.
  private static func counts(
    in typed: [Unicode.Scalar], for word: [Unicode.Scalar]
  ) -> [Int] {
    var before: [Int] = []
    var last = Array(0...word.count)
    for (row, letter) in typed.enumerated() {
      var next = [row + 1]
      for (column, other) in word.enumerated() {
        var slips = min(
          last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == word[column - 1], typed[row - 1] == other {
          slips = min(slips, before[column - 1] + 1)
        }
        next.append(slips)
      }
      (before, last) = (last, next)
    }
    return last
  }
}
